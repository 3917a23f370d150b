import type { NodePod } from "../../clients/kubernetes/kubelet-api";
import { addressAnnotation, copyAddress, isLoopbackAddress, replaceAddress } from "../../clients/kubernetes/loopback";
import type { Container, HttpGet, PodSpec, Volume } from "../../clients/kubernetes/objects";
import { isSubdomain } from "./plan";

/** A pod spec that a kubelet runs without an API, and what else it needs. */
interface Sanitised {
    readonly spec: PodSpec;
    /** Volumes whose files the kubelet got from the API. */
    readonly volumes: readonly SavedVolume[];
    /** The copy's own loopback address, if its parent has one: then both may run at the same time. */
    readonly address?: string;
    /** Endpoints that show whether the copy serves. */
    readonly endpoints: readonly HttpGet[];
}

/**
 * Everything else refers to the API, to the scheduler, or to one pod. With a node selector a kubelet silently starts
 * nothing.
 */
const kept = [
    "activeDeadlineSeconds",
    "dnsConfig",
    "dnsPolicy",
    "hostAliases",
    "hostIPC",
    "hostNetwork",
    "hostPID",
    "hostUsers",
    "hostname",
    "os",
    "priority",
    "priorityClassName",
    "restartPolicy",
    "securityContext",
    "setHostnameAsFQDN",
    "shareProcessNamespace",
    "subdomain",
    "terminationGracePeriodSeconds",
];

/** Dropping these would change what the user asked for. */
const refused: Record<string, string> = {
    resourceClaims: "claims devices through the API",
    runtimeClassName: "has a RuntimeClass, which is stored in the API",
};

/**
 * The static pod that replaces a pod.
 *
 * @param directory - contains the pod's saved volumes, each in its own directory
 * @throws NotCheckpointable
 */
export function sanitise({ metadata, spec }: NodePod, directory: string): Sanitised {
    for (const [field, why] of Object.entries(refused)) {
        if (!isEmpty(spec[field])) {
            throw new NotCheckpointable(why);
        }
    }
    const volumes = (spec.volumes ?? []).map((volume) => sanitiseVolume(volume, directory));
    const saved = volumes.flatMap((volume) => volume.saved ?? []);
    const sanitised = (container: Container) => sanitiseContainer(container, saved);
    const clean = {
        ...pick(spec, kept),
        // No reference to the Secret of a service account: the pod has no token.
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        tolerations: [{ operator: "Exists" }],
        ...(spec.initContainers && { initContainers: spec.initContainers.map(sanitised) }),
        containers: spec.containers.map(sanitised),
        volumes: volumes.map(({ volume }) => volume) as Volume[],
    };
    return { ...readdress(metadata.annotations?.[addressAnnotation], clean), volumes: saved };
}

/** Replaces the parent's loopback address with the copy's own, wherever it occurs in the spec. */
function readdress(parent: string | undefined, spec: PodSpec): Omit<Sanitised, "volumes"> {
    if (parent === undefined) {
        return { spec, endpoints: [] };
    }
    if (!isLoopbackAddress(parent)) {
        throw new NotCheckpointable(`${addressAnnotation} is not an IPv4 address in 127.64.0.0/10`);
    }
    const address = copyAddress(parent);
    const own = replaceAddress(spec, parent, address);
    return { spec: own, address, endpoints: endpointsOf(own.containers, address) };
}

/** Readiness endpoints of containers at their own address. */
function endpointsOf(containers: readonly Container[], address: string): HttpGet[] {
    return containers.flatMap(({ name, readinessProbe }) => {
        const httpGet = readinessProbe?.httpGet;
        if (httpGet?.host !== address) return [];
        if (!isEndpoint(httpGet)) {
            throw new NotCheckpointable(
                `container ${name} has a readiness probe without a numeric port and plain path`,
            );
        }
        return [httpGet];
    });
}

function isEmpty(value: unknown): boolean {
    return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Why the pod can't run without the API. */
export class NotCheckpointable extends Error {
    override readonly name = "NotCheckpointable";
}

const keptOfContainer = [
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
 * A container that needs nothing from the API.
 *
 * @param saved - volumes that become directories of saved files: a pod can't write to a Secret, nor its copy to these
 */
function sanitiseContainer(container: Container, saved: readonly SavedVolume[]): Container {
    const { name, env = [], envFrom = [], resources = {} } = container;
    const fromApi = env.find(({ valueFrom = {} }) => "secretKeyRef" in valueFrom || "configMapKeyRef" in valueFrom);
    if (fromApi !== undefined || envFrom.length > 0) {
        const what = fromApi?.name ?? "its environment";
        throw new NotCheckpointable(
            `container ${name} has ${what} from a Secret or ConfigMap; use a volume, which can be saved`,
        );
    }
    if (resources.claims !== undefined) {
        throw new NotCheckpointable(`container ${name} claims devices through the API`);
    }
    if (container.volumeDevices !== undefined) {
        throw new NotCheckpointable(`container ${name} uses a block volume from the API`);
    }
    return {
        ...(pick(container, keptOfContainer) as Container),
        ...(container.volumeMounts && {
            volumeMounts: container.volumeMounts.map((mount) =>
                saved.some((volume) => volume.name === mount.name) ? { ...mount, readOnly: true } : mount,
            ),
        }),
        env: env.map(({ name: variable, value, valueFrom }) => ({ name: variable, value, valueFrom })),
        // Its image is on this machine, and its registry may be unreachable.
        imagePullPolicy: "IfNotPresent",
        resources: { ...requestOf(resources), ...(resources.limits && { limits: resources.limits }) },
    };
}

/** The copy's part of its parent's CPU request. */
const cpuPart = 1 / 4;

/**
 * A part of the CPU request, and no memory: more could evict other pods for a copy that runs for a minute. Without any,
 * a copy gets almost no CPU time while all pods of a machine start, and the API answers nothing for seconds.
 */
function requestOf({ requests }: NonNullable<Container["resources"]>): Container["resources"] {
    const [, number, milli] = /^([0-9.]+)(m?)$/.exec(String(requests?.cpu)) ?? [];
    if (number === undefined) return {};
    return { requests: { cpu: `${Math.ceil(Number(number) * (milli ? 1 : 1000) * cpuPart)}m` } };
}

/** A volume whose files the kubelet got from the API and stored in the pod's directory. */
export interface SavedVolume {
    readonly name: string;
    /** The kubelet's name of the volume type: `kubernetes.io~secret`. */
    readonly plugin: string;
}

const plugins: Record<string, string> = {
    secret: "kubernetes.io~secret",
    configMap: "kubernetes.io~configmap",
};

/** Volumes that a static pod can have unchanged. */
const keptOfVolume = ["emptyDir", "hostPath", "downwardAPI"];

/** A volume that needs nothing from the API, and what of it must be saved. */
function sanitiseVolume(volume: Volume, directory: string): { volume: Volume; saved?: SavedVolume } {
    const { name } = volume;
    if (!isSubdomain(name)) {
        throw new NotCheckpointable("a volume has a name that is not a valid directory name");
    }
    const kind = Object.keys(volume).find((key) => key !== "name" && volume[key] !== null) ?? "emptyDir";
    const plugin = plugins[kind];
    if (plugin !== undefined) {
        const path = `${directory}/${name}`;
        return { volume: { name, hostPath: { path, type: "Directory" } }, saved: { name, plugin } };
    }
    if (!keptOfVolume.includes(kind)) {
        throw new NotCheckpointable(`volume ${name} is ${kind}, which needs the API`);
    }
    return { volume };
}

/** Whether it can be probed: a named port, for example, means something only to the kubelet. */
export function isEndpoint({ scheme = "HTTP", port, path = "/" }: HttpGet): boolean {
    const isPort = typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65_536;
    return isPort && ["HTTP", "HTTPS"].includes(scheme) && /^\/[!-~]*$/.test(path);
}

/** The named fields of an object, if present. */
function pick(from: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
    return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]));
}
