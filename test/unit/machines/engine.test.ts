import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureEngine, stopEngine } from "../../../machines/engine";

describe("the Docker engine", () => {
    const { TRADEWIND_CACHE, DOCKER_HOST, TRADEWIND_DOCKER } = process.env;
    let cache: string;
    beforeEach(() => {
        cache = mkdtempSync(join(tmpdir(), "tradewind-engine-"));
        process.env.TRADEWIND_CACHE = cache;
    });
    afterEach(() => {
        rmSync(cache, { recursive: true });
        for (const [name, value] of Object.entries({ TRADEWIND_CACHE, DOCKER_HOST, TRADEWIND_DOCKER })) {
            if (value === undefined) delete process.env[name];
            else process.env[name] = value;
        }
    });

    it("is not stopped if we did not start it", async () => {
        assert.equal(await stopEngine(), false);
    });

    it("is not mistaken for a process that reuses its id", async () => {
        mkdirSync(join(cache, "engine"));
        writeFileSync(join(cache, "engine", "dockerd.pid"), `${process.pid}\n`);
        assert.equal(await stopEngine(), false);
    });

    it("is not started in addition to the one in DOCKER_HOST", async () => {
        process.env.TRADEWIND_DOCKER = "false";
        process.env.DOCKER_HOST = "unix:///nowhere.sock";
        const message =
            "no Docker engine is running, and DOCKER_HOST points at unix:///nowhere.sock, where no engine answers";
        await assert.rejects(ensureEngine(), { message });
    });
});
