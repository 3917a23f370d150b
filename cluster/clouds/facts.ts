/** What code outside a cloud's own folders knows of the cloud. */
export interface CloudFacts {
    /** Its name in prose. */
    readonly title: string;
    /** Name of the component class. */
    readonly component: string;
    /**
     * Shell that sets `id` to the machine's `spec.providerID`, by the cloud's metadata service; `ask` is curl with
     * timeouts.
     */
    readonly identity: string;
    /** Commands that list everything of a cluster in an account. */
    readonly listingCommands: (cluster: string) => readonly string[];
    // How the state or the preview of a stack shows it: types, as in `aws:ec2/instance:Instance`, and outputs with facts.
    readonly machine: Of<"publicAddress" | "size" | "zone">;
    readonly network: Of<"cidr">;
    readonly loadBalancer: Of<"address">;
    readonly volume: string;
    /** Parts of load balancers: while one is replaced, its backends are unreachable. @default none */
    readonly balancerParts?: readonly string[];
    /** Other types whose replacement has no impact. @default none */
    readonly harmless?: readonly string[];
    /** Groups of machines that the cloud creates and names. @default every machine is a resource of the stack */
    readonly group?: string;
    /** @default the network has none */
    readonly subnet?: Of<"zone" | "cidr">;
}

type Of<Fact extends string> = { readonly type: string } & Readonly<Record<Fact, string>>;
