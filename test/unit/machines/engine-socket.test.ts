import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineSocket } from "../../../machines/ask";

describe("the engine's socket", () => {
    let DOCKER_CONFIG: string;
    let usual: string;
    beforeEach(() => {
        DOCKER_CONFIG = mkdtempSync(join(tmpdir(), "tradewind-socket-"));
        usual = join(DOCKER_CONFIG, "usual.sock");
        writeFileSync(usual, "");
    });
    afterEach(() => rmSync(DOCKER_CONFIG, { recursive: true }));
    const config = (text: string) => writeFileSync(join(DOCKER_CONFIG, "config.json"), text);

    it("is the usual one, or the one in DOCKER_HOST", () => {
        assert.equal(engineSocket({ DOCKER_CONFIG }, usual), usual);
        assert.equal(engineSocket({ DOCKER_CONFIG, DOCKER_HOST: `unix://${usual}` }, "/none"), usual);
        config('{"auths": {}, "currentContext": "default"}');
        assert.equal(engineSocket({ DOCKER_CONFIG }, usual), usual);
    });

    it("is unknown if it does not exist, or another engine or client may be selected", () => {
        assert.equal(engineSocket({ DOCKER_CONFIG }, "/none"), undefined);
        for (const other of [
            { DOCKER_HOST: "ssh://elsewhere" },
            { DOCKER_HOST: "unix:///none" },
            { DOCKER_CONTEXT: "elsewhere" },
            { TRADEWIND_DOCKER: "podman" },
        ]) {
            assert.equal(engineSocket({ DOCKER_CONFIG, ...other }, usual), undefined);
        }
        for (const text of ['{"currentContext": "elsewhere"}', "{"]) {
            config(text);
            assert.equal(engineSocket({ DOCKER_CONFIG }, usual), undefined);
        }
    });
});
