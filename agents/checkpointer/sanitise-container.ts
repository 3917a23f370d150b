import { NotCheckpointable } from "./not-checkpointable";
import { pick } from "./pick";
import type { Container, Fields } from "./pod";
import type { SavedVolume } from "./sanitise-volume";

const kept = [
    "args",
    "command",
    "image",
    "lifecycle",
    "livenessProbe",
    "name",
    "ports",
    "readinessProbe",
    "restartPolicy",
    "securityContext",
    "startupProbe",
    "stdin",
    "stdinOnce",
    "terminationMessagePath",
    "terminationMessagePolicy",
    "tty",
    "workingDir",
];

/**
 * A container that needs nothing of the API.
 *
 * @param saved - volumes that become directories of saved files: a pod can't write into a Secret, nor its copy into these
 */
export function sanitiseContainer(container: Container, saved: readonly SavedVolume[]): Container {
    const { name, env = [], envFrom = [], resources = {} } = container;
    const fromApi = env.find(({ valueFrom = {} }) => "secretKeyRef" in valueFrom || "configMapKeyRef" in valueFrom);
    if (fromApi !== undefined || envFrom.length > 0) {
        const what = fromApi?.name ?? "its environment";
        throw new NotCheckpointable(
            `container ${name} has ${what} from a Secret or ConfigMap; a volume could be saved`,
        );
    }
    if (resources.claims !== undefined) {
        throw new NotCheckpointable(`container ${name} claims devices through the API`);
    }
    if (container.volumeDevices !== undefined) {
        throw new NotCheckpointable(`container ${name} uses a block volume of the API`);
    }
    return {
        ...(pick(container, kept) as Fields & { name: string }),
        ...(container.volumeMounts && {
            volumeMounts: container.volumeMounts.map((mount) =>
                saved.some((volume) => volume.name === mount.name) ? { ...mount, readOnly: true } : mount,
            ),
        }),
        env: env.map(({ name: variable, value, valueFrom }) => ({ name: variable, value, valueFrom })),
        // Its image is here, and its registry may not be.
        imagePullPolicy: "IfNotPresent",
        // Nothing asked for: it stands in for a while, and must not push other pods off the node.
        resources: resources.limits ? { limits: resources.limits } : {},
    } as Container;
}
