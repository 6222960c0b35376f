// Before anything is drawn: the theme that the reader has chosen, if any; otherwise the browser's setting decides.
"use strict";
try {
  const chosen = localStorage.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch (error) { /* pages opened from a disk may have no storage */ }
