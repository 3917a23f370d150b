import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { emptyPrograms } from "../../../../../dev/bench/no-change/empty-program";

describe("the empty programs of benchmarks", () => {
    it("preload the file that our program preloads, from any folder", () => {
        const { options } = emptyPrograms()[0]!.runtime as { options: { nodeargs: string } };
        const [, path = ""] = /^--require (\S+)$/.exec(options.nodeargs) ?? [];
        assert.match(path, /^\/.*quick-sdk\.cjs$/);
        assert.ok(existsSync(path), path);
    });
});
