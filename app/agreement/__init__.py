"""How far raters agree, what the clips are worth to them, and how sure one can be of it."""
