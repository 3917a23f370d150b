import type { Properties } from "../../plugins/protocol/serve";
import type { Account } from "./account";

/** The functions that our stack calls. */
export const functions: Readonly<Record<string, (account: Account, args: Properties) => Properties>> = {
    "digitalocean:index/getProject:getProject": getProject,
    "digitalocean:index/getVpc:getVpc": getVpc,
};

/** By its id or its name. */
function getProject(account: Account, { id, name }: Properties): Properties {
    const all = Object.entries(account.state.projects ?? {});
    const [found, ...others] = all.filter(([each, called]) => (id === undefined ? called === name : each === id));
    if (!found) {
        throw new Error(id === undefined ? `No projects found with name '${name}'` : `Unable to load project ID ${id}`);
    }
    if (others.length > 0) throw new Error(`Multiple projects found with name '${name}'`);
    return { id: found[0], name: found[1], isDefault: false };
}

/** The default VPC of a region. */
function getVpc(account: Account, { region, ...others }: Properties): Properties {
    if (Object.keys(others).length > 0) throw new Error("looking up a VPC by anything but its region is not simulated");
    const id = account.defaultVpc(String(region));
    if (id === undefined) throw new Error(`Error retrieving VPC: unable to find default VPC in ${region} region`);
    return { id, region, default: true };
}
