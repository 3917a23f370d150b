import { type CloudName, clouds } from "../../../cluster/clouds";
import { monthlyHours, type Resource } from "../clouds/facts";
import { monthlyCost } from "./bill";
import { billOf } from "./bill-of-stack";

/** Hours that a run takes at most; the clouds bill started hours. */
const hours = 2;

/** What a run costs, from a preview's resources and list prices. */
export function estimate(cloud: CloudName, resources: readonly Resource[]): string {
    const { machine, group } = clouds[cloud];
    const machines = resources.filter(({ type }) => [machine.type, group].includes(type)).length;
    const what = `${resources.length} resources, of which ${machines} machines or groups of them`;
    try {
        const monthly = monthlyCost(cloud, billOf(resources));
        const hourly = monthly / monthlyHours;
        const run = `about ${dollars(hourly * hours)} for ${hours} hours`;
        return `${what}. Cost at list prices, without traffic and taxes: ${run}, or ${dollars(monthly)} per month if they are left behind.`;
    } catch (error) {
        return `${what}. Cost: could not be estimated (${(error as Error).message}).`;
    }
}

function dollars(amount: number): string {
    return `$${amount.toFixed(2)}`;
}
