import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import type { ApiObject, ConfigMap } from "../../clients/kubernetes/objects";
import { admissionConfiguration, admissionFile } from "../../cluster/admission";
import type { Cluster } from "../../cluster/model";
import type { UpgradeProblem } from "../../cluster/upgrades/problem";

const enforceLabel = "pod-security.kubernetes.io/enforce";

/**
 * Running pods that kube-apiserver would refuse once they are recreated, if it began to enforce a level or lost an
 * exemption. kube-apiserver reports them for a dry run of the label that enforces the level in a single namespace.
 */
export async function podSecurityProblems(
    api: Pick<ApiClient, "call">,
    { admission }: Pick<Cluster, "admission">,
): Promise<UpgradeProblem[]> {
    const { enforce, exemptNamespaces } = admission.podSecurity;
    if (enforce === "privileged" || (await isInUse(api, admission))) return [];
    const namespaces = await list<ApiObject>(api, "/api/v1/namespaces");
    const affected = namespaces.filter(
        ({ metadata: { name, labels = {}, deletionTimestamp } }) =>
            !exemptNamespaces.includes(name) && !(enforceLabel in labels) && deletionTimestamp === undefined,
    );
    const problems: UpgradeProblem[] = [];
    for (const { metadata } of affected) {
        const pods = await violators(api, metadata.name, enforce);
        if (pods.length > 0) problems.push({ check: "pod-security", message: describe(metadata.name, enforce, pods) });
    }
    return problems;
}

/** Whether kube-apiserver has this configuration: a change that was already accepted continues. */
async function isInUse(api: Pick<ApiClient, "call">, admission: Cluster["admission"]): Promise<boolean> {
    const files = await ifFound(api.call<ConfigMap>("/api/v1/namespaces/kube-system/configmaps/kube-apiserver-files"));
    const has = JSON.parse(files?.data?.[admissionFile] ?? "{}");
    return podSecurityOf(has) === podSecurityOf(admissionConfiguration(admission) ?? {});
}

/** Defaults and exemptions in a configuration of admission, as text. */
function podSecurityOf({ plugins = [] }: { readonly plugins?: readonly { readonly name?: string }[] }): string {
    return JSON.stringify(plugins.find(({ name }) => name === "PodSecurity") ?? {});
}

/** kube-apiserver's warnings about pods of a namespace, one for each kind of violation. */
async function violators(api: Pick<ApiClient, "call">, namespace: string, level: string): Promise<string[]> {
    const warnings: string[] = [];
    await api.call(`/api/v1/namespaces/${namespace}?dryRun=All`, {
        method: "PATCH",
        contentType: "application/merge-patch+json",
        body: { metadata: { labels: { [enforceLabel]: level } } },
        onWarning: (text) => warnings.push(text),
    });
    // The first line only announces the others.
    return warnings.filter((text) => !text.startsWith("existing pods in namespace"));
}

/** Warnings that are shown of each namespace. */
const mostShown = 5;

function describe(namespace: string, level: string, pods: readonly string[]): string {
    const more = pods.length > mostShown ? [`${pods.length - mostShown} more`] : [];
    return [
        `podSecurity.enforce: ${level} would refuse pods of the namespace ${namespace} once they are recreated:`,
        ...[...pods.slice(0, mostShown), ...more].map((line) => `    ${line}`),
        `    change them, allow them with \`kubectl label namespace ${namespace} ${enforceLabel}=privileged\`,`,
        `    or add ${namespace} to podSecurity.exemptNamespaces`,
    ].join("\n");
}
