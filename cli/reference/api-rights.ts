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

/** Who may do what with the API, by the roles and bindings among objects: a row for each rule, named in the first one of a binding. */
export function apiRights(manifests: readonly Manifest[]): string[][] {
    const roles = manifests.filter(({ kind }) => ["Role", "ClusterRole"].includes(kind));
    return manifests
        .filter(({ kind }) => ["RoleBinding", "ClusterRoleBinding"].includes(kind))
        .flatMap((manifest) => {
            const { namespace } = manifest.metadata;
            const { roleRef, subjects } = manifest as unknown as Binding;
            const own = roles.find(
                ({ kind, metadata }) =>
                    kind === roleRef.kind &&
                    metadata.name === roleRef.name &&
                    (kind === "ClusterRole" || metadata.namespace === namespace),
            );
            const may = own
                ? (own.rules as Rule[]).map(inWords)
                : [`what Kubernetes' ${roleRef.kind} \`${roleRef.name}\` has`];
            const who = [subjects.map(subject).join(", "), namespace ?? "everywhere"];
            return may.map((each, index) => [...(index === 0 ? who : ["", ""]), each]);
        });
}

function subject({ kind, name }: Binding["subjects"][number]): string {
    return kind === "ServiceAccount" ? `\`${name}\`` : `${kind.toLowerCase()} \`${name}\``;
}

function inWords({ verbs, resources, resourceNames }: Rule): string {
    const named = resourceNames ? ` (${resourceNames.map((name) => `\`${name}\``).join(", ")})` : "";
    return `${verbs.join(", ")} ${resources.map((name) => `\`${name}\``).join(", ")}${named}`;
}
