import { NotCheckpointable } from "./not-checkpointable";
import { isSubdomain } from "./parent";
import type { Volume } from "./pod";

/** A volume whose files the kubelet got from the API, and laid out in the pod's directory. */
export interface SavedVolume {
    readonly name: string;
    /** The kubelet's name for the kind: `kubernetes.io~secret`. */
    readonly plugin: string;
}

const plugins: Record<string, string> = {
    secret: "kubernetes.io~secret",
    configMap: "kubernetes.io~configmap",
};

/** What a static pod may have as it is. */
const kept = ["emptyDir", "hostPath", "downwardAPI"];

/** A volume that needs nothing of the API, and what of it has to be saved. */
export function sanitiseVolume(volume: Volume, directory: string): { volume: Volume; saved?: SavedVolume } {
    const { name } = volume;
    if (!isSubdomain(name)) {
        throw new NotCheckpointable("a volume has a name that is none of a directory");
    }
    const kind = Object.keys(volume).find((key) => key !== "name" && volume[key] !== null) ?? "emptyDir";
    const plugin = plugins[kind];
    if (plugin !== undefined) {
        const path = `${directory}/${name}`;
        return { volume: { name, hostPath: { path, type: "Directory" } }, saved: { name, plugin } };
    }
    if (!kept.includes(kind)) {
        throw new NotCheckpointable(`volume ${name} is ${kind}, which needs the API`);
    }
    return { volume };
}
