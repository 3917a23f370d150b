import assert from "node:assert/strict";
import { awaitName } from "../../../../cluster/machines/await-name";
import { diffable } from "../../../../ignition";
import { fixedCluster } from "../../components/in-cluster/fixture";

describe("a machine whose API has no name yet", () => {
    const texts = diffable(awaitName(fixedCluster()));
    const unit = texts["await-name.service"]!;

    it("runs before the kubelet and the receiver, and only until the machine has joined", () => {
        assert.match(unit, /^Before=kubelet\.service bootstrap-receiver\.service$/m);
        assert.match(unit, /^ConditionPathExists=!\/var\/lib\/kubelet\/kubeconfig$/m);
        assert.match(unit, /^WantedBy=kubelet\.service bootstrap-receiver\.service$/m);
    });

    it("queries the name servers of the domain for the API's name", () => {
        const command = "node /opt/tradewind/await-name/await-name.js api.c.tradewind.internal tradewind.internal";
        assert.ok(unit.includes(`\\\n    ${command}\n`), unit);
        assert.match(texts["/opt/tradewind/await-name/await-name.js"]!, /resolveNs/);
    });
});
