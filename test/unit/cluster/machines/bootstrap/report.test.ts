import assert from "node:assert/strict";
import { copyAddress } from "../../../../../clients/kubernetes/loopback";
import { bootstrapAssets } from "../../../../../cluster/machines/bootstrap/assets";
import { bootstrapReport } from "../../../../../cluster/machines/bootstrap/report";
import { diffable } from "../../../../../ignition";
import { fakeCredentials, fixedCluster, readable } from "../../../components/in-cluster/fixture";
import { assertShell } from "../../../components/in-cluster/shell";
import { golden } from "../../../golden";

describe("the report of a cluster's bootstrap progress", () => {
    const cluster = fixedCluster();
    const secrets = fakeCredentials(cluster);
    const config = bootstrapReport(cluster, secrets, "agent");
    const texts = diffable(config);

    it("is as reviewed", () => golden(__dirname, "bootstrap-report", readable(config)));

    it("checks kube-apiserver and its copy at the addresses in the bootstrap plan", () => {
        const plan = (text = "") => JSON.parse(text.replace(/^mode.*\n/, ""));
        const { apiservers } = plan(texts["/opt/tradewind/bootstrap-report/plan.json"]);
        const machine = { name: "c-controller-0", address: "10.0.0.11" };
        const assets = diffable(
            bootstrapAssets(cluster, { machine, secrets, agent: "", checkpointer: "", nodeApprover: "" }),
        );
        const { selfHosted } = plan(assets["/opt/tradewind/bootstrap/bootstrap.json"]);
        const { address } = selfHosted.find(({ name }: { name: string }) => name === "kube-apiserver");
        assert.deepEqual(apiservers, [address, copyAddress(address)]);
    });

    for (const script of ["restart-bootstrap", "tell-last-lines"]) {
        it(`has the script ${script}, which a shell can read`, () => {
            assertShell(texts[`/opt/tradewind/bin/${script}`]!.replace(/^mode.*\n/, ""));
        });
    }
});
