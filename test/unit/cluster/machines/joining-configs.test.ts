import assert from "node:assert/strict";
import { joiningWorker, placeholderJoining } from "../../../../cluster/machines/joining-configs";
import type { NetworkOptions } from "../../../../cluster/options";
import { resolveCluster } from "../../../../cluster/resolve";
import { diffable } from "../../../../ignition";
import { downloads, dualStack, fixedCluster } from "../../components/in-cluster/fixture";
import { golden } from "../../golden";

describe("what stands for credentials in a preview", () => {
    it("has the length of all trusted CAs", () => {
        const [one, two, other] = [[1], [1, 2], [2]].map(
            (kubernetesCa) => placeholderJoining(resolveCluster({ name: "c", keys: { kubernetesCa } })).ca.length,
        );
        assert.deepEqual([two, other], [2 * one!, one]);
    });

    it("has a token of the length of one", () => {
        assert.match(placeholderJoining(resolveCluster({ name: "c" })).bootstrapToken, /^[a-z0-9]{6}\.[a-z0-9]{16}$/);
    });
});

describe("a machine that joins on a cloud", () => {
    const configOf = (network: NetworkOptions) => {
        const cluster = fixedCluster({ network, workerPools: [{ name: "a" }] });
        const nodes = { cluster, downloads, machineCidr: "10.0.0.0/16" };
        const joining = { ca: "fake CA\n", bootstrapToken: "abcdef.0123456789abcdef" };
        return diffable(joiningWorker(nodes, cluster.workerPools[0]!, joining));
    };

    it("differs as reviewed in a dual-stack cluster", () => {
        const one = configOf({});
        const changed = Object.entries(configOf(dualStack)).filter(([path, text]) => one[path] !== text);
        golden(__dirname, "dual-stack", changed.map(([path, text]) => `### ${path}\n${text}`).join("\n"));
    });
});
