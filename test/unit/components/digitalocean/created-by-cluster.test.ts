import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { findInDigitalOcean } from "../../../../components/digitalocean/in-cluster";

/** The part of a command after its pipe, applied to output of doctl. */
function found(command: string, printed: string): string[] {
    const [, filter] = command.split("|", 2).length === 2 ? [command, command.slice(command.indexOf("|") + 1)] : [];
    return execFileSync("sh", ["-c", filter!], { input: printed, encoding: "utf8" }).trim().split("\n");
}

describe("what a cluster makes in DigitalOcean", () => {
    const [balancers, , volumes] = findInDigitalOcean("c", "1111-22") as [string, string, string];

    it("is found by its VPC: load balancers", () => {
        const printed = "9    a1b2    192.0.2.7    1111-22\n8    other    192.0.2.8    3333-44\n";
        assert.deepEqual(found(balancers, printed), ["9    a1b2    192.0.2.7    1111-22"]);
    });

    it("is found by its tag: volumes, and none of a cluster with a longer name", () => {
        const own = ["5    pvc-5    c", "6    pvc-6    a,c", "7    pvc-7    c,a"];
        const others = ["8    pvc-8    c-other", "9    c-controller-0-etcd    ", "10    pvc-10    other-c"];
        assert.deepEqual(found(volumes, [...own, ...others].join("\n")), own);
    });
});
