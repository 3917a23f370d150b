import assert from "node:assert/strict";
import { disruptionBudgets } from "../../../../../cluster/manifests/control-plane";
import { credentialHolders } from "../../../../../cluster/manifests/control-plane/secrets";
import { fixedCluster } from "../../../components/in-cluster/fixture";

describe("disruption budgets", () => {
    for (const [count, minAvailable] of [
        [1, 1],
        [3, 2],
        [5, 4],
    ]) {
        it(`keep ${minAvailable} of ${count} of every control-plane component through evictions`, () => {
            const budgets = disruptionBudgets(fixedCluster({ controllers: { count } }));
            assert.deepEqual(
                budgets.map(({ metadata, spec }) => [metadata.name, spec]),
                credentialHolders.map((name) => [
                    name,
                    {
                        minAvailable,
                        selector: { matchLabels: { "k8s-app": name } },
                        unhealthyPodEvictionPolicy: "AlwaysAllow",
                    },
                ]),
            );
        });
    }
});
