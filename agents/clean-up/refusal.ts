import type { ApiClient } from "../common/api-client";
import { isNotFound } from "../common/api-error";
import { cleanUpMarker } from "./request";

const group = "/apis/admissionregistration.k8s.io/v1";
const kinds = ["validatingadmissionpolicies", "validatingadmissionpolicybindings"] as const;
const undo = `kubectl delete ${kinds.map((kind) => `${kind.replace(/ies$/, "y").replace(/s$/, "")}/${cleanUpMarker}`).join(" ")}`;

const resources = (operations: string[], ...names: string[]) => ({
    apiGroups: [""],
    apiVersions: ["v1"],
    operations,
    resources: names,
});

const objects = {
    validatingadmissionpolicies: {
        kind: "ValidatingAdmissionPolicy",
        spec: {
            // Whatever is wrong with it, the cluster goes on.
            failurePolicy: "Ignore",
            matchConstraints: {
                resourceRules: [
                    resources(["CREATE"], "persistentvolumeclaims"),
                    resources(["CREATE", "UPDATE"], "services"),
                ],
            },
            validations: [
                {
                    // Those that are there are taken away by an update of their finalizers.
                    expression: [
                        "request.kind.kind == 'Service' &&",
                        "(!has(object.spec.type) || object.spec.type != 'LoadBalancer' ||",
                        "(oldObject != null && has(oldObject.spec.type) && oldObject.spec.type == 'LoadBalancer'))",
                    ].join(" "),
                    message: `the cluster is being destroyed, and makes nothing more in its cloud; to keep it: ${undo}`,
                },
            ],
        },
    },
    validatingadmissionpolicybindings: {
        kind: "ValidatingAdmissionPolicyBinding",
        spec: { policyName: cleanUpMarker, validationActions: ["Deny"] },
    },
};

/** Has the API refuse whatever would make something in the cloud anew: controllers in the cluster go on meanwhile. */
export async function refuseNew(api: ApiClient): Promise<void> {
    for (const kind of kinds) {
        const body = {
            apiVersion: "admissionregistration.k8s.io/v1",
            metadata: { name: cleanUpMarker },
            ...objects[kind],
        };
        const query = `fieldManager=${cleanUpMarker}&force=true`;
        const contentType = "application/apply-patch+yaml";
        await api.call(`${group}/${kind}/${cleanUpMarker}?${query}`, { method: "PATCH", body, contentType });
    }
}

/** Takes that back. */
export async function allowNew(api: ApiClient): Promise<void> {
    for (const kind of [...kinds].reverse()) {
        await api.call(`${group}/${kind}/${cleanUpMarker}`, { method: "DELETE" }).catch((error) => {
            if (!isNotFound(error)) throw error;
        });
    }
}
