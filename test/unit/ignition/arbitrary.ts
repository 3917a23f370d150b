import fc from "fast-check";
import { type Config, config, directory, dropin, file, link, unit, user } from "../../../ignition";

const path = fc.constantFrom("/a", "/b/c", "/etc/x", "/opt/y.sh");
const text = fc.string({ maxLength: 20 });
const mode = fc.integer({ min: 0, max: 0o7777 });

const unique = <T>(item: fc.Arbitrary<T>, key: (value: T) => string) =>
    fc.uniqueArray(item, { selector: key, maxLength: 4 });

/** Valid configs of every kind of part that has a builder. */
export const anyConfig: fc.Arbitrary<Config> = fc
    .record({
        nodes: unique(
            fc.record({ path, mode, text, gzip: fc.boolean(), kind: fc.constantFrom("file", "directory", "link") }),
            (node) => node.path,
        ),
        units: unique(
            fc.record({
                name: fc.constantFrom("a.service", "b.timer", "c.socket"),
                enabled: fc.option(fc.boolean(), { nil: undefined }),
                contents: fc.option(text, { nil: undefined }),
                dropins: unique(
                    fc.record({ name: fc.constantFrom("10.conf", "20.conf"), contents: text }),
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
