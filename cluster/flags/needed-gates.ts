import { minorOf } from "../upgrades/version";

/** By gate, the minor versions in which it is off by default, though pods of Tradewind need it: they mount images as volumes. */
const needed: Readonly<Record<string, readonly string[]>> = { ImageVolume: ["1.34"] };

/** Feature gates to turn on in kube-apiserver and kubelets of a version. */
export function neededGates(kubernetes: string): string[] {
    return Object.keys(needed).filter((gate) => needed[gate]!.includes(minorOf(kubernetes)));
}
