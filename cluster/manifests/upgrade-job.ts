import { type Manifest, managedBy } from "../manifest";
import type { UpgradeJob } from "../upgrades/jobs";
import { asUser, type Container, type PodSpec, unprivilegedId } from "./pod";

/** Label of a Job's objects; its value is the Job's name in the configuration. */
export const upgradeJobLabel = "tradewind.dev/upgrade-job";

/** Says up to which version of Kubernetes a Job has run. */
export function upgradeJobRecord({ name }: UpgradeJob, kubernetesVersion: string): Manifest {
    return {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `upgrade-job-${name}`, namespace: "kube-system" },
        data: { kubernetesVersion },
    };
}

/** @param versions - of Kubernetes, before and after the upgrade */
export function upgradeJobManifest(job: UpgradeJob, id: string, versions: { from: string; to: string }): Manifest {
    const { name, namespace, image, command, serviceAccount, timeoutSeconds } = job;
    const [managed = "", by = ""] = managedBy.split("=");
    const labels = { [managed]: by, [upgradeJobLabel]: name };
    const container: Container = {
        name,
        image,
        ...(command && { command: [...command] }),
        env: [
            { name: "FROM_VERSION", value: versions.from },
            { name: "TO_VERSION", value: versions.to },
        ],
        terminationMessagePolicy: "FallbackToLogsOnError",
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
    };
    const spec: PodSpec = {
        restartPolicy: "Never",
        automountServiceAccountToken: serviceAccount !== undefined,
        ...(serviceAccount !== undefined && { serviceAccountName: serviceAccount }),
        securityContext: asUser(unprivilegedId),
        containers: [container],
    };
    return {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: id, namespace, labels },
        spec: {
            backoffLimit: 0,
            // `up` reports a timeout first, with the log that Kubernetes then deletes.
            activeDeadlineSeconds: timeoutSeconds + 60,
            ttlSecondsAfterFinished: 86_400,
            template: { metadata: { labels }, spec },
        },
    };
}
