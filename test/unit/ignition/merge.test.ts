import assert from "node:assert/strict";
import fc from "fast-check";
import {
    type Config,
    config,
    directory,
    dropin,
    file,
    link,
    merge,
    render,
    unit,
    user,
    validate,
} from "../../../ignition";
import { agreeingConfigs, anyConfig } from "./arbitrary";

describe("merge", () => {
    it("prefers the later config, file by file", () => {
        const merged = merge(
            config({ files: [file("/a", "base", { mode: 0o600 }), file("/b", "base")] }),
            config({ files: [file("/a", "snippet")] }),
        );
        assert.deepEqual(merged.storage?.files, [file("/a", "snippet"), file("/b", "base")]);
    });

    it("keeps what a later entry omits", () => {
        const merged = merge(
            config({ units: [unit("a.service", { enabled: true, contents: "base" })] }),
            config({ units: [unit("a.service", { dropins: [dropin("10.conf", "x")] })] }),
        );
        assert.deepEqual(merged.systemd?.units, [
            { name: "a.service", enabled: true, contents: "base", dropins: [dropin("10.conf", "x")] },
        ]);
    });

    it("merges drop-ins by name and keys by value", () => {
        const merged = merge(
            config({
                units: [unit("a.service", { dropins: [dropin("1.conf", "a"), dropin("2.conf", "a")] })],
                users: [user("core", { sshAuthorizedKeys: ["k1"] })],
            }),
            config({
                units: [unit("a.service", { dropins: [dropin("2.conf", "b")] })],
                users: [user("core", { sshAuthorizedKeys: ["k1", "k2"] })],
            }),
        );
        assert.deepEqual(merged.systemd?.units?.[0]?.dropins, [dropin("1.conf", "a"), dropin("2.conf", "b")]);
        assert.deepEqual(merged.passwd?.users, [{ name: "core", sshAuthorizedKeys: ["k1", "k2"] }]);
    });

    it("replaces a path by one of another kind", () => {
        const merged = merge(
            config({ files: [file("/a", "")], links: [link("/b", "/c")] }),
            config({ directories: [directory("/a")], files: [file("/b", "x")] }),
        );
        assert.deepEqual(merged.storage?.files, [file("/b", "x")]);
        assert.deepEqual(merged.storage?.links, undefined);
        assert.deepEqual(merged.storage?.directories, [directory("/a")]);
    });

    it("joins appended contents and mount options end to end", () => {
        const withParts = (source: string, option: string): Config => ({
            ignition: { version: "3.5.0" },
            storage: {
                files: [{ path: "/a", append: [{ source }] }],
                filesystems: [{ device: "/dev/x", mountOptions: [option] }],
            },
        });
        const merged = merge(withParts("data:,a", "ro"), withParts("data:,a", "ro"));
        assert.deepEqual(merged.storage?.files?.[0]?.append, [{ source: "data:,a" }, { source: "data:,a" }]);
        assert.deepEqual(merged.storage?.filesystems?.[0]?.mountOptions, ["ro", "ro"]);
    });

    it("takes a header away that a later config leaves without a value", () => {
        const resource = (value: string | null): Config => ({
            ignition: {
                version: "3.5.0",
                config: { merge: [{ source: "https://x/", httpHeaders: [{ name: "A", value }] }] },
            },
        });
        assert.deepEqual(merge(resource("1"), resource(null)).ignition.config?.merge?.[0]?.httpHeaders, undefined);
    });

    it("identifies partitions by number, or by label if they have none", () => {
        const disk = (partitions: object[]): Config => ({
            ignition: { version: "3.5.0" },
            storage: { disks: [{ device: "/dev/x", partitions }] },
        });
        const merged = merge(
            disk([
                { number: 1, sizeMiB: 1 },
                { label: "data", sizeMiB: 2 },
            ]),
            disk([{ label: "data", sizeMiB: 3 }]),
        );
        assert.deepEqual(merged.storage?.disks?.[0]?.partitions, [
            { number: 1, sizeMiB: 1 },
            { label: "data", sizeMiB: 3 },
        ]);
    });

    const same = (a: Config, b: Config) => assert.equal(render(a), render(b));
    it("changes nothing when one side is empty or both are the same", () => {
        fc.assert(
            fc.property(anyConfig, (value) => {
                same(merge(value, config()), value);
                same(merge(config(), value), value);
                same(merge(value, value), value);
            }),
        );
    });

    // Not if a path changes its kind, in Ignition either: a recreated file inherits nothing from an old one.
    it("gives the same whichever pair is merged first, while each path stays what it is", () => {
        fc.assert(
            fc.property(agreeingConfigs, agreeingConfigs, agreeingConfigs, (a, b, c) => {
                same(merge(merge(a, b), c), merge(a, merge(b, c)));
            }),
        );
    });

    it("merges more than two from left to right", () => {
        fc.assert(
            fc.property(anyConfig, anyConfig, anyConfig, (a, b, c) => same(merge(a, b, c), merge(merge(a, b), c))),
        );
    });

    it("keeps valid configs valid and the later one's files as they are", () => {
        fc.assert(
            fc.property(agreeingConfigs, agreeingConfigs, (base, snippet) => {
                const merged = merge(base, snippet);
                assert.deepEqual(validate(merged), []);
                for (const desired of snippet.storage?.files ?? []) {
                    assert.deepEqual(
                        merged.storage?.files?.find(({ path }) => path === desired.path),
                        desired,
                    );
                }
            }),
        );
    });

    it("leaves the configs that it is given as they are", () => {
        fc.assert(
            fc.property(anyConfig, anyConfig, (base, snippet) => {
                const before = [render(base), render(snippet)];
                merge(base, snippet);
                assert.deepEqual([render(base), render(snippet)], before);
            }),
        );
    });

    it("keeps compression and hash if a later config omits them, as Ignition does", () => {
        const compressed = config({ files: [file("/a", "base", { gzip: true })] });
        const merged = merge(compressed, config({ files: [file("/a", "plain")] }));
        assert.equal(merged.storage?.files?.[0]?.contents?.compression, "gzip");
        assert.match(
            validate(merged)[0]!,
            /^storage\.files\[0\]\.contents\.source must be gzip data, .*set compression to ""/,
        );
    });
});
