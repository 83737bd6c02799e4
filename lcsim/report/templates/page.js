// Sorts a table by the column whose heading is pressed: numbers downwards first, text upwards.
for (const table of document.querySelectorAll(".table table")) {
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  const read = (row, column) => {
    const key = row.cells[column].dataset.key;
    return key === undefined ? null : key;
  };
  headings.forEach((heading, column) => {
    heading.querySelector("button").addEventListener("click", () => {
      const isNumber = heading.classList.contains("number");
      const first = isNumber ? "descending" : "ascending";
      const second = isNumber ? "ascending" : "descending";
      const order = heading.getAttribute("aria-sort") === first ? second : first;
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const compare = (a, b) => {
        const x = read(a, column), y = read(b, column);
        if (x === null || y === null) return (x === null) - (y === null);
        return sign * (isNumber ? Number(x) - Number(y) : x.localeCompare(y));
      };
      body.append(...[...body.rows].sort(compare));
    });
  });
}

// Copies the command beside a button; where the clipboard is closed to the page, it is selected.
for (const button of document.querySelectorAll("button.copy")) {
  const command = button.parentElement.querySelector(".command");
  button.addEventListener("click", async () => {
    getSelection().selectAllChildren(command);
    try {
      await navigator.clipboard.writeText(command.textContent);
      button.textContent = "copied";
    } catch {
      button.textContent = document.execCommand("copy") ? "copied" : "selected";
    }
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });
}
