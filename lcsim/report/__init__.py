"""From stored parts to answers: tables, figures and sentences, each number with its error."""
