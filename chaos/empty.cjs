// What a limit must leave room for before it is ours to speak: Node itself, and one file.
