import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeNetwork } from "../../../machines/network";

/**
 * A Docker client with the network of `c`, if the file `network` exists, which it refuses to remove with the errors in
 * the file `refusals`.
 */
const CLIENT = `#!/bin/sh
cd "$(dirname "$0")"
[ -e network ] || { echo "Error: No such network: tradewind-c" >&2; exit 1; }
case "$*" in
    "network rm "*)
        [ -s refusals ] || exec rm network
        head -1 refusals >&2; sed -i 1d refusals; exit 1 ;;
    *json*) cat containers ;;
    *) echo '[{"IPAM": {"Config": [{"Subnet": "10.9.9.0/24"}]}, "Labels": {"dev.tradewind": "1", "dev.tradewind.cluster": "c", "dev.tradewind.domain": "d"}}]' ;;
esac
`;
const BUSY =
    "Error response from daemon: error while removing network: network tradewind-c id 4c has active endpoints\n";

describe("the removal of a cluster's network", () => {
    const { TRADEWIND_DOCKER } = process.env;
    let folder: string;
    let warnings: string[];
    const file = (name: string, text = "") => writeFileSync(join(folder, name), text);
    const isThere = () => existsSync(join(folder, "network"));
    const remove = (grace: number) => removeNetwork("c", (line) => warnings.push(line), grace);

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-network-"));
        file("docker", CLIENT);
        chmodSync(join(folder, "docker"), 0o755);
        file("network");
        process.env.TRADEWIND_DOCKER = join(folder, "docker");
        warnings = [];
    });
    afterEach(() => {
        if (TRADEWIND_DOCKER === undefined) delete process.env.TRADEWIND_DOCKER;
        else process.env.TRADEWIND_DOCKER = TRADEWIND_DOCKER;
        rmSync(folder, { recursive: true });
    });

    it("succeeds, even if it does not exist", async () => {
        await remove(5);
        assert.ok(!isThere());
        await remove(5);
        assert.deepEqual(warnings, []);
    });

    it("is retried while the engine is still processing removed containers", async () => {
        file("refusals", BUSY);
        await remove(5);
        assert.ok(!isThere());
        assert.deepEqual(warnings, []);
    });

    it("leaves it with a warning if the engine miscounts", async () => {
        file("refusals", BUSY.repeat(5));
        file("containers", "{}");
        await remove(0);
        assert.ok(isThere());
        assert.equal(warnings.length, 1);
        assert.match(warnings[0]!, /tradewind-c could not be removed.*moby#42119.*docker network rm tradewind-c/);
    });

    it("fails if other containers are attached, with their names", async () => {
        file("refusals", BUSY.repeat(5));
        file("containers", '{"x": {"Name": "mine"}, "y": {"Name": "also"}}');
        await assert.rejects(remove(0), /must have no containers but the cluster's \(got also, mine\): .*disconnect/);
        assert.deepEqual(warnings, []);
    });

    it("does not mistake other engine errors for a network in use", async () => {
        file("refusals", "Error response from daemon: the disk is full\n");
        await assert.rejects(remove(5), /the disk is full/);
    });
});
