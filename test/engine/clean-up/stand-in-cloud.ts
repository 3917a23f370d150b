import { setTimeout as sleep } from "node:timers/promises";
import { at, type KubernetesObject, listAt } from "../../../simulator/plugins/kubernetes/object";
import type { ApiServer } from "../apiserver";
import { until } from "../until";

export const driver = "ebs.csi.aws.com";
const finalizer = "service.kubernetes.io/load-balancer-cleanup";
const mergePatch = "application/merge-patch+json";
const services = "/api/v1/namespaces/default/services";
const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
const volumes = "/api/v1/persistentvolumes";
const pods = "/api/v1/namespaces/default/pods";

/** Minimal versions of a cloud's controllers and a kubelet: what they created is what the API contains. */
export class StandInCloud {
    /** Events, in order. */
    readonly events: string[] = [];
    /** False: nothing is removed after its deletion. */
    isAtWork = true;
    #isRunning = true;
    #loop?: Promise<void>;

    constructor(private readonly api: ApiServer) {}

    start(): void {
        this.#loop = this.#run();
    }

    async stop(): Promise<void> {
        this.#isRunning = false;
        await this.#loop;
    }

    /** Creates a Service with a load balancer. */
    async balance(name: string): Promise<void> {
        await this.create(services, {
            apiVersion: "v1",
            kind: "Service",
            metadata: { name, finalizers: [finalizer] },
            spec: { type: "LoadBalancer", ports: [{ port: 80 }] },
        });
    }

    /** Creates a claim bound to a volume of the driver, and a pod that uses it. */
    async store(name: string, policy: "Delete" | "Retain"): Promise<void> {
        const resources = { requests: { storage: "1Gi" } };
        const spec = { accessModes: ["ReadWriteOnce"], storageClassName: "" };
        await this.create(volumes, {
            apiVersion: "v1",
            kind: "PersistentVolume",
            metadata: { name: `pv-${name}`, annotations: { "pv.kubernetes.io/provisioned-by": driver } },
            spec: {
                ...spec,
                capacity: resources.requests,
                persistentVolumeReclaimPolicy: policy,
                claimRef: { namespace: "default", name },
                csi: { driver, volumeHandle: `vol-${name}` },
            },
        });
        await this.create(claims, this.claim(name));
        await until(`claim ${name} to be bound`, async () => {
            const claim = (await this.api.http.send({ method: "GET", path: `${claims}/${name}` })) as KubernetesObject;
            return at(claim, "status", "phase") === "Bound";
        });
        await this.create(pods, {
            apiVersion: "v1",
            kind: "Pod",
            metadata: { name: `user-of-${name}` },
            spec: {
                nodeName: "n",
                containers: [{ name: "pause", image: "pause" }],
                volumes: [{ name: "data", persistentVolumeClaim: { claimName: name } }],
            },
        });
    }

    claim(name: string): object {
        return {
            apiVersion: "v1",
            kind: "PersistentVolumeClaim",
            metadata: { name },
            spec: {
                accessModes: ["ReadWriteOnce"],
                storageClassName: "",
                volumeName: `pv-${name}`,
                resources: { requests: { storage: "1Gi" } },
            },
        };
    }

    create(path: string, body: object): Promise<unknown> {
        return this.api.http.send({ method: "POST", path, body });
    }

    /** Names of existing objects, without the API's own Service. */
    async left(): Promise<string[]> {
        const lists = await Promise.all([services, claims, volumes, pods].map((path) => this.#list(path)));
        const names = lists.flat().map(({ metadata }) => metadata!.name!);
        return names.filter((name) => name !== "kubernetes").sort();
    }

    async #run(): Promise<void> {
        while (this.#isRunning) {
            // The API may be unavailable for a moment, and objects may be deleted meanwhile.
            if (this.isAtWork) await this.#observe().catch(() => undefined);
            await sleep(20);
        }
    }

    async #observe(): Promise<void> {
        for (const service of (await this.#list(services)).filter(isLeaving)) {
            const { name } = service.metadata!;
            this.events.push(`load balancer of ${name} deleted`);
            const body = { metadata: { finalizers: null } };
            const path = `${services}/${name}`;
            await this.api.http.send({ method: "PATCH", path, body, contentType: mergePatch });
        }
        for (const pod of (await this.#list(pods)).filter(isLeaving)) {
            this.events.push(`pod ${pod.metadata!.name} ended`);
            await this.#delete(`${pods}/${pod.metadata!.name}`);
        }
        for (const volume of await this.#list(volumes)) {
            const isReleased = at(volume, "status", "phase") === "Released";
            if (!isReleased || at(volume, "spec", "persistentVolumeReclaimPolicy") !== "Delete") continue;
            this.events.push(`volume ${volume.metadata!.name} deleted`);
            await this.#delete(`${volumes}/${volume.metadata!.name}`);
        }
    }

    #delete(path: string): Promise<unknown> {
        return this.api.http.send({ method: "DELETE", path, query: { gracePeriodSeconds: "0" } });
    }

    async #list(path: string): Promise<KubernetesObject[]> {
        return listAt(await this.api.http.send({ method: "GET", path }), "items") as KubernetesObject[];
    }
}

function isLeaving({ metadata }: KubernetesObject): boolean {
    return metadata?.deletionTimestamp !== undefined;
}
