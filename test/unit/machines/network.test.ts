import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureNetwork, findNetwork } from "../../../machines/network";

/** A Docker client of the version in the file `version`, which records the requested network. */
const CLIENT = `#!/bin/sh
cd "$(dirname "$0")"
case "$*" in
    version*) cat version ;;
    "network create "*) echo "$*" >created ;;
    "network inspect "*) [ -e found ] || { echo "Error: No such network" >&2; exit 1; }; cat found ;;
esac
`;

describe("the network of machines", () => {
    const { TRADEWIND_DOCKER } = process.env;
    const network = { cluster: "c", subnet: "10.117.5.0/24", domain: "test" };
    const subnet6 = "fd74:7264:a75:500::/64";
    let folder: string;

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-network-"));
        writeFileSync(join(folder, "docker"), CLIENT);
        chmodSync(join(folder, "docker"), 0o755);
        process.env.TRADEWIND_DOCKER = join(folder, "docker");
    });
    afterEach(() => {
        if (TRADEWIND_DOCKER === undefined) delete process.env.TRADEWIND_DOCKER;
        else process.env.TRADEWIND_DOCKER = TRADEWIND_DOCKER;
        rmSync(folder, { recursive: true });
    });

    for (const [what, version, asked, isOfIpv6] of [
        ["is IPv4 only", "28.2.2", {}, false],
        ["is dual-stack if the engine isolates both families", "27.0.1", { subnet6 }, true],
        ["is IPv4 only if the engine would let IPv6 out", "20.10.24+dfsg1", { subnet6 }, false],
    ] as const) {
        it(`${what}, and always internal`, async () => {
            writeFileSync(join(folder, "version"), version);
            await ensureNetwork({ ...network, ...asked });
            const created = readFileSync(join(folder, "created"), "utf8");
            assert.match(created, /^network create --driver bridge --internal --subnet 10\.117\.5\.0\/24 /);
            assert.equal(created.includes(` --ipv6 --subnet ${subnet6} `), isOfIpv6);
        });
    }

    it("is found with both of its blocks", async () => {
        const config = [{ Subnet: network.subnet }, { Subnet: subnet6 }];
        const labels = { "dev.tradewind": "1", "dev.tradewind.cluster": "c", "dev.tradewind.domain": "test" };
        const found = (blocks: object[]) =>
            writeFileSync(join(folder, "found"), JSON.stringify([{ IPAM: { Config: blocks }, Labels: labels }]));
        found(config);
        assert.deepEqual(await findNetwork("c"), { ...network, subnet6 });
        found(config.slice(0, 1));
        assert.deepEqual(await findNetwork("c"), network);
    });
});
