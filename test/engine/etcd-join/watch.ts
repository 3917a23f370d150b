import { once } from "node:events";
import { request } from "node:https";
import type { Controller } from "./controller";

/** Watches all keys as a kube-apiserver does, indefinitely. @returns a function that closes it */
export async function openWatch({ machine, access }: Controller): Promise<() => void> {
    const options = { method: "POST", ...access, agent: false as const };
    const everything = { create_request: { key: "AA==", range_end: "AA==" } };
    const sent = request(`https://${machine.address}:2379/v3/watch`, options).end(JSON.stringify(everything));
    sent.on("error", () => undefined);
    const [answer] = await once(sent, "response");
    answer.on("error", () => undefined);
    await once(answer, "data");
    return () => sent.destroy();
}
