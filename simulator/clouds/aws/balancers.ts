import type { CheckPace } from "../../../machines";
import type { Created } from "./created";

/** Common to all kinds of load balancers. */
export interface Balancer extends Created {
    readonly vpc: string;
    readonly address: string;
    readonly dnsName: string;
    readonly subnets: readonly string[];
    readonly groups: readonly string[];
    /** Name of its container in the VPC's network. @default that of the API's */
    readonly container?: string;
    /** @default "internet-facing" */
    readonly scheme?: string;
    /** As the service returns them: they have no effect in the simulation. @default none */
    readonly attributes?: Readonly<Record<string, string>>;
}

/** A network load balancer; by ARN. */
export interface LoadBalancer extends Balancer {
    /** Not active yet: it answers nothing and has no name. @default active */
    readonly state?: "provisioning";
}

/** A classic load balancer; by name. */
export interface ClassicLoadBalancer extends Balancer {
    readonly ports: readonly ClassicPort[];
    readonly check: HealthCheck;
    /** Ids. */
    readonly instances: readonly string[];
}

export interface ClassicPort {
    readonly port: number;
    readonly protocol: string;
    readonly instancePort: number;
    readonly instanceProtocol: string;
}

/** As the service returns it; `TCP:80` or `HTTP:80/path`. Unit of times: seconds. */
export interface HealthCheck {
    readonly target: string;
    readonly interval: number;
    readonly timeout: number;
    readonly healthyThreshold: number;
    readonly unhealthyThreshold: number;
}

export interface TargetGroup extends Created {
    readonly vpc: string;
    readonly port: number;
    /** Other attributes that the service returns, if it was not created by a stack. */
    readonly said?: Readonly<Record<string, string>>;
    /** Targets see the client's address, so that a target cannot connect to itself. @default false */
    readonly preservesClient?: boolean;
    /** Targets get the client's address in a header. @default false */
    readonly hasProxyProtocol?: boolean;
    /** Whether targets are checked by whether their port is open. @default false: by HTTPS, unless `check` is set */
    readonly checksPort?: boolean;
    /** The HTTP health check. */
    readonly check?: { readonly port: number; readonly path: string };
    /** @default every second, whatever interval was requested */
    readonly pace?: CheckPace;
}
