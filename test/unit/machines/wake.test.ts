import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wake } from "../../../machines";

/**
 * A Docker client with the network in the file `network`, if it exists, and the containers in `containers`. It writes
 * down every command that changes something, and a container starts only in a network that exists.
 */
const CLIENT = `#!/bin/sh
cd "$(dirname "$0")"
case "$*" in
    version*) echo 28.0.0; exit ;;
    "ps "*) echo one; exit ;;
    cp*) exit ;;
    "container inspect "*) cat containers; exit ;;
    "network inspect "*)
        [ -e network ] || { echo "Error response from daemon: network $3 not found" >&2; exit 1; }
        case "$*" in *.Id*) echo new ;; *) cat network ;; esac; exit ;;
esac
echo "$*" >>done
case "$*" in
    "network create "*) cp whole network ;;
    "network connect "*) [ ! -e occupied ] || { echo "Address already in use" >&2; exit 1; } ;;
    "start "*) [ -e network ] || { echo "network old not found" >&2; exit 1; } ;;
esac
`;

const labels = { "dev.tradewind": "1", "dev.tradewind.cluster": "c", "dev.tradewind.domain": "test" };
const subnet = "10.117.5.0/24";
const subnet6 = "fd74:7264:a75:500::/64";
const network = { cluster: "c", subnet, subnet6, domain: "test" };

/** What the engine says about a container that was attached to a network with this id. */
const container = (name: string, role: string, host: number, NetworkID = "old", Status = "exited") => ({
    Name: `/tradewind-c-${name}`,
    State: { Status, ExitCode: 137 },
    Config: { Image: "i", Labels: { "dev.tradewind.role": role, "dev.tradewind.machine": name } },
    NetworkSettings: {
        Networks: {
            "tradewind-c": {
                IPAMConfig: {
                    ...(host > 0 && { IPv4Address: `10.117.5.${host}` }),
                    ...(role === "machine" && { IPv6Address: `fd74:7264:a75:500::${host}` }),
                },
                NetworkID,
            },
        },
    },
});

describe("a cluster whose containers are off", () => {
    const { TRADEWIND_DOCKER } = process.env;
    let folder: string;
    const file = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));
    const has = (Subnet: string, Labels: object = labels) => [
        { IPAM: { Config: [{ Subnet }, { Subnet: subnet6 }] }, Labels },
    ];
    const done = () => readFileSync(join(folder, "done"), "utf8").trim().split("\n");
    const said: string[] = [];
    const start = () => wake("c", (line) => said.push(line), network);

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-wake-"));
        writeFileSync(join(folder, "docker"), CLIENT);
        chmodSync(join(folder, "docker"), 0o755);
        writeFileSync(join(folder, "done"), "");
        file("whole", has(subnet));
        file("containers", [container("infra.service", "infra", 2)]);
        process.env.TRADEWIND_DOCKER = join(folder, "docker");
        said.length = 0;
    });
    afterEach(() => {
        if (TRADEWIND_DOCKER === undefined) delete process.env.TRADEWIND_DOCKER;
        else process.env.TRADEWIND_DOCKER = TRADEWIND_DOCKER;
        rmSync(folder, { recursive: true });
    });

    it("gets its network again if that was pruned, with each container at its address, before any starts", async () => {
        file("containers", [container("infra.service", "infra", 2), container("c-controller-0", "machine", 11)]);
        // The fake engine has no machine that boots.
        await assert.rejects(start(), /--name must be a machine of c|first boot failed/);
        assert.deepEqual(done().slice(0, 7), [
            `network create --driver bridge --internal --subnet ${subnet} --gateway 10.117.5.1 --ipv6 --subnet ${subnet6} ` +
                "--label dev.tradewind=1 --label dev.tradewind.cluster=c --label dev.tradewind.domain=test tradewind-c",
            "network disconnect --force tradewind-c tradewind-c-c-controller-0",
            "network connect --ip 10.117.5.11 --ip6 fd74:7264:a75:500::11 tradewind-c tradewind-c-c-controller-0",
            "network disconnect --force tradewind-c tradewind-c-infra.service",
            "network connect --ip 10.117.5.2 tradewind-c tradewind-c-infra.service",
            "start tradewind-c-infra.service",
            "start tradewind-c-c-controller-0",
        ]);
        assert.deepEqual(said, [
            "creating the Docker network tradewind-c again, which was removed",
            "starting tradewind-c-infra.service",
            "starting c-controller-0",
        ]);
    });

    it("is attached to a network that was created again by an interrupted run", async () => {
        file("network", has(subnet));
        await start();
        assert.deepEqual(done(), [
            "network disconnect --force tradewind-c tradewind-c-infra.service",
            "network connect --ip 10.117.5.2 tradewind-c tradewind-c-infra.service",
            "start tradewind-c-infra.service",
        ]);
    });

    it("only starts if its network is the one that it had", async () => {
        file("network", has(subnet));
        file("containers", [container("infra.service", "infra", 2, "new")]);
        await start();
        assert.deepEqual(done(), ["start tradewind-c-infra.service"]);
    });

    it("gets no network before it has containers", async () => {
        file("containers", []);
        await start();
        assert.deepEqual(done(), [""]);
    });

    const refused: readonly [string, () => void, RegExp][] = [
        [
            "another program's network has its name",
            () => file("network", has(subnet, {})),
            /tradewind-c must have the labels .* another program created it: .* docker network rm tradewind-c, then/,
        ],
        [
            "its network lacks a label",
            () => file("network", has(subnet, { ...labels, "dev.tradewind.domain": undefined })),
            /tradewind-c must have the labels/,
        ],
        [
            "its network was created again with another subnet",
            () => file("network", has("10.1.0.0/24")),
            /tradewind-c must have the subnet 10\.117\.5\.0\/24 \(got 10\.1\.0\.0\/24\): remove it with docker network rm/,
        ],
        [
            "a container lost its address",
            () => {
                file("network", has(subnet));
                file("containers", [container("infra.service", "infra", 0)]);
            },
            /infra.service must have an address .*: attach it with docker network connect --ip ADDRESS tradewind-c /,
        ],
        [
            "a container's address is in use",
            () => file("occupied", true),
            /Address already in use\nThe container tradewind-c-infra.service .*docker network connect --ip 10.117.5.2 /,
        ],
    ];
    for (const [what, prepare, message] of refused) {
        it(`fails if ${what}`, async () => {
            prepare();
            await assert.rejects(start(), message);
            assert.ok(!done().some((line) => line.startsWith("start")));
        });
    }

    it("fails if its network is another program's, even if every container runs", async () => {
        file("network", has(subnet, {}));
        file("containers", [container("infra.service", "infra", 2, "new", "running")]);
        await assert.rejects(start(), /must have the labels/);
    });
});
