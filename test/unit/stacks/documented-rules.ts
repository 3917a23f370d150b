/** What a table of docs/ says is let in, as `<to> <from> <protocol> <ports>`; `nameOf` tells how code calls who it names. */
export function documentedRules(table: string, nameOf: (documented: string) => string = (name) => name): string[] {
    return [...table.matchAll(/^\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)].slice(2).flatMap(([, to, from, what]) =>
        from!.split(", ").flatMap((peer) =>
            what!
                .replaceAll(/ \([^)]*\)/g, "")
                .split(", ")
                .map((each) => `${nameOf(to!)} ${nameOf(peer)} ${each.toLowerCase()}`),
        ),
    );
}
