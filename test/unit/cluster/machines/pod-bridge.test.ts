import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { flannelSubnet, podAddresses, podBridge } from "../../../../cluster/machines/pod-bridge";
import { diffable } from "../../../../ignition";
import { assertShell } from "../../components/in-cluster/shell";

const texts = diffable(podBridge());
const script = texts["/opt/tradewind/bin/fit-pod-bridge"]!.replace(/^mode.*\n/, "");

const ids = ["a", "b"].map((digit) => digit.repeat(64));

/** Programs run if the bridge has this address, if any, and flannel has written this block, if any, for two pods. */
function deletions(address: string | undefined, block: string | undefined): string {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-bridge-"));
    const at = (name: string) => join(folder, name);
    try {
        if (block !== undefined) {
            const subnet = block && `FLANNEL_SUBNET=${block}\n`;
            writeFileSync(at("subnet.env"), `FLANNEL_NETWORK=10.2.0.0/16\n${subnet}FLANNEL_MTU=1450\n`);
        }
        const shown = address ? `echo "9: cni0    inet ${address} brd 10.2.3.255 scope global cni0"` : "exit 1";
        const ip = `#!/bin/sh\ncase "$1" in -4) ${shown} ;; *) echo "$@" >>${at("links")} ;; esac\n`;
        writeFileSync(at("ip"), ip, { mode: 0o755 });
        writeFileSync(at("ctr"), `#!/bin/sh\necho "$@" >>${at("links")}\nexit 1\n`, { mode: 0o755 });
        mkdirSync(at("addresses"));
        for (const [address, id] of Object.entries({ "10.2.1.4": ids[0], "10.2.1.5": ids[1], "fd00::5": ids[1] })) {
            writeFileSync(join(at("addresses"), address), `${id}\r\neth0`);
        }
        writeFileSync(join(at("addresses"), "last_reserved_ip.0"), "10.2.1.5");
        const own = script
            .replaceAll(flannelSubnet, at("subnet.env"))
            .replaceAll(podAddresses, at("addresses"))
            .replaceAll("/usr/bin/ctr", "ctr");
        const env = { PATH: [folder, process.env.PATH].join(delimiter) };
        execFileSync("sh", ["-c", own], { env, stdio: "ignore" });
        return existsSync(at("links")) ? readFileSync(at("links"), "utf8").trim() : "";
    } finally {
        rmSync(folder, { recursive: true });
    }
}

describe("the bridge of a node's pods", () => {
    it("is looked after by a short script that a shell can read", () => {
        assertShell(script);
        assert.ok(script.split("\n").length < 60, "it is short");
    });

    const killed = ids.map((id) => `--namespace k8s.io tasks kill --signal SIGKILL ${id}`);
    const all = ["link delete cni0", ...killed].join("\n");
    const table: [string, string | undefined, string | undefined, string][] = [
        ["is deleted if its address is of an earlier block, with the pods of that", "10.2.1.1/24", "10.2.3.1/24", all],
        ["stays if its address is of the node's block", "10.2.3.1/24", "10.2.3.1/24", ""],
        ["may not exist yet", undefined, "10.2.3.1/24", ""],
        ["stays where flannel has written no block", "10.2.1.1/24", "", ""],
        ["stays where flannel's file was removed, and that is no failure", "10.2.1.1/24", undefined, ""],
    ];
    for (const [what, address, block, expected] of table) {
        it(what, () => assert.equal(deletions(address, block), expected));
    }

    it("is looked after when flannel writes the block", () => {
        assert.match(texts["pod-bridge.path"]!, new RegExp(`^PathChanged=${flannelSubnet}$`, "m"));
    });
});
