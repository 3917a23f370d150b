import { joinedMachines } from "../../../agents/nodes/approver/joined";
import { poolLabel } from "../../labels";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { administratorGroups, admissionPolicy, isNoneOf, systemNamespace } from "../objects";

const name = "joined-machines.tradewind.dev";

/**
 * Confines a machine that joined by a token to its pool. The stack does not name it, so `placement.tradewind.dev` would let
 * its kubelet choose any pool of workers once, when it registers.
 *
 * A policy of its own, which needs the record: without one, no such machine has joined.
 */
export function joinedMachinesPolicy(cluster: Pick<Cluster, "certificates">): Manifest[] {
    const exempt = administratorGroups(cluster);
    const spec = {
        failurePolicy: "Fail",
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
        matchConstraints: {
            resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["nodes"], operations: ["CREATE"] }],
        },
        matchConditions: [{ name: "not-an-administrator", expression: isNoneOf(exempt) }],
        variables: [
            { name: "entry", expression: "params.?data[?object.metadata.name]" },
            { name: "pool", expression: `object.metadata.?labels[?"${poolLabel}"].orValue("")` },
        ],
        validations: [
            {
                // Values of labels have no quotes, and those in texts of an entry are escaped.
                expression: `!variables.entry.hasValue() || variables.entry.value().contains('"pool":"' + variables.pool + '"')`,
                message: `the label ${poolLabel} must be the pool that the machine's token is for: only ${exempt.join(" and ")} may register it in another`,
                reason: "Forbidden",
            },
        ],
    };
    const record = { name: joinedMachines, namespace: systemNamespace, parameterNotFoundAction: "Allow" };
    return admissionPolicy(name, spec, record);
}
