import assert from "node:assert/strict";
import { bundle, config, directory, file, link, remoteFile, unit } from "../../../ignition";

describe("a bundle", () => {
    it("has what a config puts on a machine, with every byte in it", () => {
        const made = bundle(
            config({
                directories: [directory("/data", { mode: 0o700 })],
                files: [file("/data/key", "secret", { mode: 0o600 })],
                links: [link("/data/current", "/data/key")],
                units: [
                    unit("a.service", { enabled: true, contents: "[Unit]\n" }),
                    unit("b.service", { contents: "[Unit]\n" }),
                ],
            }),
        );
        const contents = Buffer.from("[Unit]\n").toString("base64");
        assert.deepEqual(made, {
            entries: [
                { path: "/data/", mode: 0o700 },
                { path: "/data/current", link: "/data/key" },
                { path: "/etc/systemd/system/a.service", mode: 0o644, contents },
                { path: "/etc/systemd/system/b.service", mode: 0o644, contents },
                { path: "/data/key", mode: 0o600, contents: Buffer.from("secret").toString("base64") },
            ],
            units: ["a.service"],
        });
    });

    it("refuses contents that are elsewhere", () => {
        const elsewhere = remoteFile("/data/file", "https://example.test/file", { sha256: "0".repeat(64) });
        assert.throws(
            () => bundle(config({ files: [elsewhere] })),
            /the contents of \/data\/file must be in the config/,
        );
    });

    it("refuses a config with anything else", () => {
        const more = { ...config({}), passwd: { users: [{ name: "core" }] } };
        assert.throws(() => bundle(more), /may only have files, directories, links and units \(got passwd\)/);
    });
});
