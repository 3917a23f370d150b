import { machineStates } from "../../../machines";
import { met } from "../shared/behaviours";
import type { Account } from "./account";
import { groupActions, secondsUntilRemoved } from "./group-actions";
import { scale, whenAlone } from "./scaling";

/** When an instance's machine was first observed off, by id, in milliseconds. */
let offSince = new Map<string, number>();

/** One reconciliation of an account's groups: replaces dead instances and terminates those that are due. */
export async function keepGroups(account: Account): Promise<void> {
    if (account.all("autoScalingGroups").length === 0) return;
    await whenAlone(account, async () => {
        const off = await secondsOff(account);
        const { resources } = account;
        const isBusy = (name: string) => {
            return Object.values(groupActions(resources, name, off, new Date())).some((each) => each.length > 0);
        };
        if (Object.values(off).some((seconds) => seconds >= secondsUntilRemoved)) met("lost instance");
        const busy = Object.keys(resources.autoScalingGroups).filter(isBusy);
        await Promise.all(busy.map((name) => scale(account, name, off)));
    });
}

async function secondsOff(account: Account): Promise<Record<string, number>> {
    const { instances, vpcs } = account.resources;
    const members = Object.entries(instances).filter(([, { createdBy }]) => createdBy !== undefined);
    const networks = [...new Set(members.map(([, { vpc }]) => vpcs[vpc]!.name))];
    const states = Object.fromEntries(
        await Promise.all(networks.map(async (name) => [name, await machineStates(name)] as const)),
    );
    const isOn = (state: string | undefined) => state === "running" || state === "restarting";
    const off = members.filter(([, { vpc, machine }]) => !isOn(states[vpcs[vpc]!.name]?.[machine]));
    const now = performance.now();
    offSince = new Map(off.map(([id]) => [id, offSince.get(id) ?? now]));
    return Object.fromEntries([...offSince].map(([id, since]) => [id, (now - since) / 1000]));
}
