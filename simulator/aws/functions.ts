import type { Properties } from "../plugin";
import type { Account } from "./account";

/** The functions that our stack calls. */
export const functions: Readonly<Record<string, (account: Account, args: Properties) => Properties>> = {
    "aws:route53/getZone:getZone": getZone,
};

function getZone(account: Account, { name, privateZone }: Properties): Properties {
    const domain = String(name).replace(/\.$/, "");
    const [id] = Object.entries(account.state.zones).find(([, zone]) => zone === domain) ?? [];
    if (id === undefined || privateZone === true) {
        throw new Error(`no matching Route53Zone found: ${name}`);
    }
    return { id, zoneId: id, name: domain, privateZone: false };
}
