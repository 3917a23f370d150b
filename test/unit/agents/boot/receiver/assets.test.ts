import assert from "node:assert/strict";
import { parseAssets } from "../../../../../agents/boot/receiver/assets";

const entry = { path: "/etc/a", mode: 0o600, contents: "YQ==" };

describe("uploaded assets", () => {
    it("are parsed", () => {
        const assets = {
            entries: [entry, { path: "/etc/b/", mode: 0o700 }, { path: "/c", link: "/etc/a" }],
            units: ["a.service"],
        };
        assert.deepEqual(parseAssets(JSON.stringify(assets)), assets);
    });

    const refused: [string, unknown][] = [
        ["nothing", {}],
        ["no entries", { entries: [], units: [] }],
        ["a path that is not absolute", { entries: [{ ...entry, path: "etc/a" }], units: [] }],
        ["a path with ..", { entries: [{ ...entry, path: "/etc/../root/a" }], units: [] }],
        ["contents that are not a string", { entries: [{ ...entry, contents: 1 }], units: [] }],
        ["a mode that is not a number", { entries: [{ ...entry, mode: "0600" }], units: [] }],
        ["a unit with an option in its name", { entries: [entry], units: ["a.service --now"] }],
    ];
    for (const [what, assets] of refused) {
        it(`are rejected with ${what}`, () => {
            assert.throws(() => parseAssets(JSON.stringify(assets)), /the assets must be entries with absolute paths/);
        });
    }
});
