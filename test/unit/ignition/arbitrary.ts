import fc from "fast-check";
import { type Config, config, directory, dropin, file, link, unit, user } from "../../../ignition";

const path = fc.constantFrom("/a", "/b/c", "/etc/x", "/opt/y.sh");
const text = fc.string({ unit: "binary", maxLength: 20 });
const unitText = fc.stringMatching(/^[A-Za-z0-9 %]{0,20}$/).map((value) => `[Unit]\nDescription=${value}\n`);
const mode = fc.integer({ min: 0, max: 0o7777 });

const unique = <T>(item: fc.Arbitrary<T>, key: (value: T) => string) =>
    fc.uniqueArray(item, { selector: key, maxLength: 4 });

/** Valid configs of every kind of part that has a builder. */
export const anyConfig = configs((_, random) => random);

/** Configs that agree on the kind of each path and on its compression. */
export const agreeingConfigs = configs((path) => ({
    kind: path === "/a" ? "link" : path === "/b/c" ? "directory" : "file",
    gzip: path === "/opt/y.sh",
}));

interface Form {
    kind: string;
    gzip: boolean;
}

function configs(choose: (path: string, random: Form) => Form): fc.Arbitrary<Config> {
    return fc
        .record({
            nodes: unique(
                fc
                    .record({
                        path,
                        mode,
                        text,
                        gzip: fc.boolean(),
                        kind: fc.constantFrom("file", "directory", "link"),
                    })
                    .map((node) => ({ ...node, ...choose(node.path, node) })),
                (node) => node.path,
            ),
            units: unique(
                fc.record({
                    name: fc.constantFrom("a.service", "b.timer", "c.socket"),
                    enabled: fc.option(fc.boolean(), { nil: undefined }),
                    contents: fc.option(unitText, { nil: undefined }),
                    dropins: unique(
                        fc.record({ name: fc.constantFrom("10.conf", "20.conf"), contents: unitText }),
                        ({ name }) => name,
                    ),
                }),
                ({ name }) => name,
            ),
            users: unique(
                fc.record({ name: fc.constantFrom("core", "ops"), keys: fc.uniqueArray(text, { maxLength: 2 }) }),
                ({ name }) => name,
            ),
        })
        .map(({ nodes, units, users }) => {
            const of = (kind: string) => nodes.filter((node) => node.kind === kind);
            return config({
                files: of("file").map((node) => file(node.path, node.text, { mode: node.mode, gzip: node.gzip })),
                directories: of("directory").map((node) => directory(node.path, { mode: node.mode })),
                links: of("link").map((node) => link(node.path, `/to/${node.mode}`)),
                units: units.map(({ name, enabled, contents, dropins }) =>
                    unit(name, {
                        ...(enabled !== undefined && { enabled }),
                        ...(contents !== undefined && { contents }),
                        ...(dropins.length > 0 && { dropins: dropins.map((part) => dropin(part.name, part.contents)) }),
                    }),
                ),
                users: users.map(({ name, keys }) => user(name, keys.length > 0 ? { sshAuthorizedKeys: keys } : {})),
            });
        });
}
