import assert from "node:assert/strict";
import { eventually } from "../cluster";
import { type HeldClock, holdClock, whyNot } from "../machine-clock";
import { hasToldSince, serverOf, tellsTime } from "./clock-signs";
import type { Act, Fault, Scene } from "./fault";

const minutes = 60;
const hours = 60 * minutes;

/** By machine name. */
const held = new Map<string, HeldClock>();

/** Makes a machine's clock jump; resolves once its processes use the new time. */
function jump(seconds: number): Act {
    return async (scene, machine) => {
        if (!held.has(machine)) held.set(machine, await holdClock(scene.cluster.name, machine, seconds));
        await eventually(`${machine} by its own clock`, () => tellsTime(scene, machine, seconds), 60);
    };
}

/** Makes it jump back. */
const letGo: Act = async (_, machine) => {
    const clock = held.get(machine);
    held.delete(machine);
    await clock?.stop();
};

/**
 * kube-controller-manager considers a lease renewed if its time is later than any before. After a clock went back that
 * is not the case, and the node briefly becomes NotReady, until its kubelet reports its status: then, or every 5
 * minutes.
 */
const toldState = (scene: Scene, machine: string, since: Date) =>
    eventually("the node's state", () => hasToldSince(scene, machine, since), 330);

/**
 * A token issued by an apiserver that is ahead of the others starts in the future: once the clock is back, it is
 * rejected until then. Kubelets keep pods' tokens; a restarted kubelet requests new ones, and pods read them within two
 * minutes.
 */
async function renewTokens({ cluster, controllers, workers }: Scene): Promise<void> {
    await Promise.all([...controllers, ...workers].map((each) => cluster.exec(each, "systemctl restart kubelet")));
}

/** While a token for an hour is expired by the clock of that apiserver, its holder needs another one, and gets it. */
async function refusesTokens(scene: Scene, machine: string): Promise<void> {
    const there = await serverOf(scene.cluster.name, machine);
    const make = async () =>
        (await scene.cluster.kubectl("create", "token", "default", "--duration=1h", ...there)).trim();
    const answerTo = (token: string) =>
        scene.cluster.exec(
            machine,
            `curl -sk --max-time 5 -o /dev/null -w '%{http_code}' -H 'Authorization: Bearer ${token}' https://127.0.0.1:6443/api`,
        );
    await letGo(scene, machine);
    const old = await make();
    assert.equal(await answerTo(old), "200", "a token of now");
    await jump(2 * hours)(scene, machine);
    // An apiserver caches the result for a token for seconds.
    await eventually("the end of a token", async () => assert.equal(await answerTo(old), "401"), 60);
    assert.equal(await answerTo(await make()), "200", "a token of later");
}

/** A clock that is suddenly wrong, as after a bad response of a time server, and later right again. */
export const clockFaults: readonly Fault[] = [
    {
        name: "clock-forward",
        // Not further: a token issued meanwhile is only valid from its start, minus a tolerance of one minute.
        about: "a machine's clock jumps two minutes forward, and back",
        target: "node",
        whyNot: whyNot(),
        lasts: 60,
        group: "clock",
        within: 420,
        inject: jump(2 * minutes),
        heal: letGo,
        settled: toldState,
    },
    {
        name: "clock-back",
        // Not further: certificates of a new cluster start with it, and earlier they are rejected.
        about: "a machine's clock jumps two minutes back, for longer than its node stays Ready, and forward",
        target: "node",
        whyNot: whyNot(),
        lasts: 75,
        group: "clock",
        inject: jump(-2 * minutes),
        heal: letGo,
    },
    {
        name: "clock-hours",
        about: "a controller's clock jumps two hours forward, so that tokens expire, and back; kubelets are restarted",
        target: "controller",
        whyNot: whyNot(),
        lasts: 90,
        group: "clock",
        isAlone: true,
        within: 480,
        inject: refusesTokens,
        heal: async (scene, machine) => {
            await letGo(scene, machine);
            await renewTokens(scene);
        },
        settled: toldState,
    },
];
