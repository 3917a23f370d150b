import type { Manifest } from "../../components/cluster/manifest";

interface Rule {
    readonly resources: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs: readonly string[];
}

interface Binding {
    readonly roleRef: { readonly kind: string; readonly name: string };
    readonly subjects: readonly { readonly kind: string; readonly name: string }[];
}

/** Who may do what with the API, by the roles and bindings among objects: a row for each binding. */
export function apiRights(manifests: readonly Manifest[]): string[][] {
    const roles = manifests.filter(({ kind }) => ["Role", "ClusterRole"].includes(kind));
    return manifests
        .filter(({ kind }) => ["RoleBinding", "ClusterRoleBinding"].includes(kind))
        .map((manifest) => {
            const { namespace } = manifest.metadata;
            const { roleRef, subjects } = manifest as unknown as Binding;
            const own = roles.find(
                ({ kind, metadata }) =>
                    kind === roleRef.kind &&
                    metadata.name === roleRef.name &&
                    (kind === "ClusterRole" || metadata.namespace === namespace),
            );
            return [
                subjects.map(subject).join(", "),
                namespace ?? "everywhere",
                own
                    ? (own.rules as Rule[]).map(inWords).join("; ")
                    : `what Kubernetes' ${roleRef.kind} \`${roleRef.name}\` has`,
            ];
        });
}

function subject({ kind, name }: Binding["subjects"][number]): string {
    return kind === "ServiceAccount" ? `\`${name}\`` : `${kind.toLowerCase()} \`${name}\``;
}

function inWords({ verbs, resources, resourceNames }: Rule): string {
    const named = resourceNames ? ` (${resourceNames.map((name) => `\`${name}\``).join(", ")})` : "";
    return `${verbs.join(", ")} ${resources.map((name) => `\`${name}\``).join(", ")}${named}`;
}
