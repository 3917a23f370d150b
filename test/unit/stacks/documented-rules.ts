/**
 * Allowed traffic in a table of docs/, as `<to> <from> <protocol> <ports>`; `nameOf` maps names in the table to those
 * in code.
 */
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
