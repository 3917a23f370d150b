import { addressAnnotation } from "../bootstrap/plan";
import { isLoopbackAddress, loopbackAddress, replaceAddress } from "../common/loopback";
import { isEndpoint } from "./endpoints";
import { NotCheckpointable } from "./not-checkpointable";
import { pick } from "./pick";
import type { Container, HttpGet, Pod, PodSpec, Volume } from "./pod";
import { sanitiseContainer } from "./sanitise-container";
import { type SavedVolume, sanitiseVolume } from "./sanitise-volume";

/** A pod spec that a kubelet runs without an API, and what of the pod it needs beside. */
export interface Sanitised {
    readonly spec: PodSpec;
    /** Volumes whose files the kubelet got from the API. */
    readonly volumes: readonly SavedVolume[];
    /** The copy's own loopback address, if its parent has one: then both may run at the same time. */
    readonly address?: string;
    /** Where the copy tells whether it serves. */
    readonly endpoints: readonly HttpGet[];
}

/** All else refers to the API, to the scheduler, or to one pod. Of a selector a kubelet says nothing and starts nothing. */
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

/** Without these the pod would be another one than the user asked for. */
const refused: Record<string, string> = {
    resourceClaims: "claims devices through the API",
    runtimeClassName: "has a RuntimeClass, which lies in the API",
};

/**
 * The static pod that stands in for a pod.
 *
 * @param directory - where the pod's saved volumes lie, each in one of its own
 * @throws NotCheckpointable
 */
export function sanitise({ metadata, spec }: Pod, directory: string): Sanitised {
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

/** Gives the copy a loopback address of its own, wherever the spec has its parent's. */
function readdress(parent: string | undefined, spec: PodSpec): Omit<Sanitised, "volumes"> {
    if (parent === undefined) {
        return { spec, endpoints: [] };
    }
    if (!isLoopbackAddress(parent)) {
        throw new NotCheckpointable(`${addressAnnotation} is no IPv4 address of 127.64.0.0/10`);
    }
    const address = loopbackAddress({ copyOf: parent });
    const own = replaceAddress(spec, parent, address);
    return { spec: own, address, endpoints: endpointsOf(own.containers, address) };
}

/** Where containers tell, at their own address, whether they serve. */
function endpointsOf(containers: readonly Container[], address: string): HttpGet[] {
    return containers.flatMap(({ name, readinessProbe }) => {
        const httpGet = readinessProbe?.httpGet;
        if (httpGet?.host !== address) return [];
        if (!isEndpoint(httpGet)) {
            throw new NotCheckpointable(
                `container ${name} has a readiness probe that is no port's number and plain path`,
            );
        }
        return [httpGet];
    });
}

function isEmpty(value: unknown): boolean {
    return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
