import type { Manifest } from "../../manifest";
import { admissionPolicy } from "../objects";
import { componentUsers } from "../pod";

const name = "kube-system-only.tradewind.dev";

/**
 * With the value `allowed`, pods of a namespace may use system priority classes. Setting it requires permission to
 * change namespaces.
 */
export const systemPriorityLabel = "tradewind.dev/system-priority-classes";

/**
 * Restrictions on pods outside kube-system: no priority that could preempt the control plane, and none of the control
 * plane's users, whose ports they could share (`componentUsers`).
 *
 * User-defined classes have at most half the value of `system-cluster-critical`, so nothing else can preempt it.
 * Existing pods are kept and can be changed.
 */
export function kubeSystemPolicy(): Manifest[] {
    return admissionPolicy(name, spec);
}

const pods = (resource: string, operation: string) => ({
    apiGroups: [""],
    apiVersions: ["v1"],
    resources: [resource],
    operations: [operation],
});

const usersOf = (list: string) => `object.spec.?${list}.orValue([]).map(c, c.?securityContext.?runAsUser)`;

const spec = {
    failurePolicy: "Fail",
    matchConstraints: {
        namespaceSelector: {
            matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["kube-system"] }],
        },
        resourceRules: [pods("pods", "CREATE"), pods("pods/ephemeralcontainers", "UPDATE")],
    },
    variables: [
        {
            name: "users",
            expression: [
                "[object.spec.?securityContext.?runAsUser]",
                ...["containers", "initContainers", "ephemeralContainers"].map(usersOf),
            ].join(" + "),
        },
    ],
    validations: [
        {
            expression: [
                // Adding a container to a pod does not change its class.
                "oldObject != null",
                '!object.spec.?priorityClassName.orValue("").startsWith("system-")',
                `namespaceObject.metadata.?labels[?"${systemPriorityLabel}"].orValue("") == "allowed"`,
            ].join(" || "),
            message: `priority classes system-* are for pods in kube-system: use a class of your own, or label the namespace ${systemPriorityLabel}=allowed`,
            reason: "Forbidden",
        },
        {
            expression: `variables.users.all(user, !(user.orValue(0) in [${Object.values(componentUsers).join(", ")}]))`,
            message: `runAsUser ${Object.values(componentUsers).join(", ")} are the control plane's: use another user`,
            reason: "Forbidden",
        },
    ],
};
