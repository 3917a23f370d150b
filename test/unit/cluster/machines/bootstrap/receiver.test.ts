import assert from "node:assert/strict";
import { bootstrapReceiver, receiverName } from "../../../../../cluster/machines/bootstrap/receiver";
import { diffable } from "../../../../../ignition";
import { fixedCluster, readable } from "../../../components/in-cluster/fixture";
import { assertShell } from "../../../components/in-cluster/shell";
import { golden } from "../../../golden";

describe("the receiver on the first controller of a cloud", () => {
    const cluster = fixedCluster();
    const config = bootstrapReceiver(cluster, { certificate: { cert: "cert", key: "key" }, agent: "agent" });
    const texts = diffable(config);

    it("is as reviewed", () => golden(__dirname, "bootstrap-receiver", readable(config)));

    it("has a name that no node and no API has", () => {
        assert.equal(receiverName(cluster), "bootstrap.c.tradewind.internal");
    });

    it("is started at every boot until it is settled that nothing is to be taken", () => {
        const unit = texts["bootstrap-receiver.service"]!;
        assert.match(unit, /^ConditionPathExists=!\/var\/lib\/tradewind\/bootstrap\/receiver-settled$/m);
        assert.deepEqual(unit.match(/^Condition/gm)?.length, 1);
        assert.match(unit, /^TimeoutStartSec=infinity$/m);
    });

    it("starts what was unpacked by a script that a shell can read", () => {
        assertShell(texts["/opt/tradewind/bin/start-bootstrap"]!.replace(/^mode.*\n/, ""));
    });
});
