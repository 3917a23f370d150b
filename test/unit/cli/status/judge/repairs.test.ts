import assert from "node:assert/strict";
import type { Repair } from "../../../../../agents/nodes/repairer/record";
import { repairFacts } from "../../../../../cli/status/collect/api";
import type { ClusterFacts } from "../../../../../cli/status/facts";
import { judgeRepairs } from "../../../../../cli/status/judge/repairs";

const manual: Repair = {
    uid: "u",
    state: "manual",
    since: "2026-01-01T00:00:00Z",
    why: "not Ready for 15 min",
    restarts: 1,
};

function adviceFor(name: string, cloud?: string): string {
    const repairs = { machines: { [name]: manual }, ...(cloud && { cloud }) };
    const [finding] = judgeRepairs({ cluster: "local", isLocal: cloud === undefined, repairs } as ClusterFacts);
    assert.match(
        finding!.message,
        new RegExp(`^The machine ${name} must be repaired by a person: not Ready for 15 min\\.$`),
    );
    return finding!.advice ?? "";
}

describe("what status says about machines under repair", () => {
    it("is the command for the cluster's cloud, if only a person can repair one", () => {
        assert.match(
            adviceFor("local-controller-0"),
            /^docker restart \S+local-controller-0; if the machine does not exist: npm start\./,
        );
        assert.match(
            adviceFor("c-default-0", "digitalocean"),
            /^doctl compute droplet-action power-cycle ID, .*droplet list c-default-0\./,
        );
        assert.match(
            adviceFor("i-0123.eu-central-1.compute.internal", "aws"),
            /terminate-instance-in-auto-scaling-group .*--instance-id i-0123,/,
        );
        assert.match(adviceFor("c-controller-0", "aws"), /^aws ec2 stop-instances .*Values=c-controller-0\./);
    });

    it("comes from the agent's record", () => {
        const metadata = { name: "machine-repairs", annotations: { "tradewind.dev/repaired-by": "aws" } };
        assert.deepEqual(repairFacts({ metadata }), { machines: {}, cloud: "aws" });
        const repairs = { machines: { a: manual }, replaced: [] };
        const data = { "repairs.json": JSON.stringify(repairs), waits: "x" };
        assert.deepEqual(repairFacts({ metadata, data }), { machines: { a: manual }, cloud: "aws", waits: "x" });
    });
});
