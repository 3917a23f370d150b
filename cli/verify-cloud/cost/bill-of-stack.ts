import { cloudNames } from "../../../cluster/clouds";
import { verified } from "../clouds";
import type { Bill, Resource } from "../clouds/facts";
import { sum } from "./bill";

/** The priced parts of a stack's cluster. @throws for a cloud resource type without a price that is not known as free */
export function billOf(resources: readonly Resource[]): Bill {
    const bills = resources.map((resource) => {
        const cloud = cloudNames.find((name) => resource.type.startsWith(`${name}:`));
        const { priced = {}, free = [] } = cloud ? verified[cloud] : {};
        const price = priced[resource.type];
        if (price) return price(resource, resources);
        if (cloud === undefined || free.includes(resource.type)) return {};
        throw new Error(`cli/verify-cloud/clouds/${cloud}.ts has no price for ${resource.type}`);
    });
    return sum(bills);
}
