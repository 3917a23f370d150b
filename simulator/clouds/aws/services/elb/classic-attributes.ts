import type { ClassicLoadBalancer } from "../../balancers";
import { objectOf, type Params } from "../query/params";
import type { Said } from "../query/xml";

/** The attributes of a new load balancer. */
const defaults = {
    "CrossZoneLoadBalancing.Enabled": "false",
    "AccessLog.Enabled": "false",
    "ConnectionDraining.Enabled": "false",
    "ConnectionDraining.Timeout": "300",
    "ConnectionSettings.IdleTimeout": "60",
};

/** A request's attributes, `AccessLog.Enabled` and others. */
export function attributesOf(params: Params): Record<string, string> {
    const asked = objectOf(params, "LoadBalancerAttributes");
    return Object.fromEntries(
        Object.entries(asked).flatMap(([group, values]) =>
            typeof values === "object"
                ? Object.entries(values).map(([name, value]) => [`${group}.${name}`, String(value)])
                : [],
        ),
    );
}

/** A load balancer's attributes, as the service returns them: they have no effect in the simulation. */
export function attributesSaid({ attributes }: ClassicLoadBalancer): Said {
    const said: Record<string, Record<string, string>> = {};
    for (const [path, value] of Object.entries({ ...defaults, ...attributes })) {
        const [group = "", name = ""] = path.split(".");
        said[group] = { ...said[group], [name]: value };
    }
    return said;
}
