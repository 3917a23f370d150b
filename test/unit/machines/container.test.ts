import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { containerStates } from "../../../machines/container";

/** A Docker client that knows `a` and `b`, and for which `gone` existed a moment ago. */
const CLIENT = `#!/bin/sh
echo "$*" >> "$0.asked"
inspected() { printf '{"Name": "/%s", "State": {"Status": "running", "ExitCode": 0}, "Config": {"Image": "i", "Labels": {}}, "NetworkSettings": {"Networks": {}}}' "$1"; }
case "$*" in
    "ps "*) cat "$0.ids" ;;
    *gone*) echo "Error: No such container: gone" >&2; exit 1 ;;
    "container inspect a b") echo "[$(inspected a),$(inspected b)]" ;;
    "container inspect "*) echo "[$(inspected "$3")]" ;;
esac
`;

describe("what the engine reports about containers", () => {
    const { TRADEWIND_DOCKER } = process.env;
    let folder: string;
    let client: string;
    const asked = () => readFileSync(`${client}.asked`, "utf8").trim().split("\n").slice(1);

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-container-"));
        client = join(folder, "docker");
        writeFileSync(client, CLIENT);
        chmodSync(client, 0o755);
        process.env.TRADEWIND_DOCKER = client;
    });
    afterEach(() => {
        if (TRADEWIND_DOCKER === undefined) delete process.env.TRADEWIND_DOCKER;
        else process.env.TRADEWIND_DOCKER = TRADEWIND_DOCKER;
        rmSync(folder, { recursive: true });
    });
    const names = async (...ids: string[]) => {
        writeFileSync(`${client}.ids`, ids.map((id) => `${id}\n`).join(""));
        return (await containerStates(["--filter", "label=x"])).map(({ name }) => name);
    };

    it("is read for all of them at once", async () => {
        assert.deepEqual(await names("a", "b"), ["a", "b"]);
        assert.deepEqual(asked(), ["container inspect a b"]);
    });

    it("is that of the others if one is removed meanwhile", async () => {
        assert.deepEqual(await names("b", "gone", "a"), ["a", "b"]);
    });

    it("is empty if there are none, without a second query", async () => {
        assert.deepEqual(await names(), []);
        assert.deepEqual(asked(), []);
    });
});
