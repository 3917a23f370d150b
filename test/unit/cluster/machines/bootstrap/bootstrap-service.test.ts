import assert from "node:assert/strict";
import { bootstrapService } from "../../../../../cluster/machines/bootstrap/assets";
import { fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

describe("bootstrap.service", () => {
    const unit = bootstrapService(fixedCluster());

    it("is as reviewed", () => golden(__dirname, "bootstrap-service", unit));

    it("runs until the pivot is done and no key of the bootstrap is left, and never after", () => {
        const conditions = unit.match(/^Condition.*$/gm)!;
        assert.ok(conditions.includes("ConditionPathExists=|!/var/lib/tradewind/bootstrap/pivoted"));
        // `|`: any one of them is enough.
        assert.ok(conditions.every((condition) => condition.startsWith("ConditionPathExists=|")));
    });

    it("continues after every failure", () => {
        assert.match(unit, /^Restart=on-failure$/m);
        assert.match(unit, /^StartLimitIntervalSec=0$/m);
    });
});
