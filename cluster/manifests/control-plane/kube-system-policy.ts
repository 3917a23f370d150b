import type { Manifest } from "../../manifest";
import { componentUsers } from "../../users";

const apiVersion = "admissionregistration.k8s.io/v1";
const name = "kube-system-only.tradewind.dev";

/** With the value `allowed`, pods of a namespace may have system priority classes. Only who may change namespaces sets it. */
export const systemPriorityLabel = "tradewind.dev/system-priority-classes";

/**
 * What pods outside kube-system may not have: a priority by which they would push the control plane off its node, and the
 * users of the control plane, whose ports they could share (`users.ts`).
 *
 * Classes of one's own have at most half of the value of `system-cluster-critical`, so nothing else preempts it. Pods that
 * run already stay, and can be changed.
 */
export function kubeSystemPolicy(): Manifest[] {
    return [
        { apiVersion, kind: "ValidatingAdmissionPolicy", metadata: { name }, spec },
        {
            apiVersion,
            kind: "ValidatingAdmissionPolicyBinding",
            metadata: { name },
            spec: { policyName: name, validationActions: ["Deny"] },
        },
    ];
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
                // A container that is added to a pod changes no class.
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
