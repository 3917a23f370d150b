import { versions } from "../../versions";
import type { Part } from "../part";
import { kubernetes } from "./kubernetes";

const { homepage, licence, go, version } = kubernetes(versions.kubernetes);

/**
 * kube-apiserver of the default version with faults that its image chooses. Only our own `main` differs, in a folder next
 * to the version's go.mod: what it pins is Kubernetes' own.
 */
export const faultyApiserver: Part = {
    name: "faulty-apiserver",
    version,
    licence,
    homepage,
    go: {
        ...go,
        binaries: { "faulty-apiserver": `tradewind/${go.folder}/faulty-apiserver` },
        sources: ["faulty-apiserver/main.go", "faulty-apiserver/faults.go"],
    },
};
