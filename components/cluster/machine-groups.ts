/** Worker pools whose machines come and go by themselves, at any time, under names that the cloud gives. */
export interface MachineGroups {
    /** Regular expression of their nodes' whole names. */
    readonly namePattern: string;
    /** How many nodes there may be at a time, by pool. */
    readonly max: Readonly<Record<string, number>>;
    /** URL of the metadata service that tells a pool's machines that they are taken away, by pool. @default none are */
    readonly notices?: Readonly<Record<string, string>>;
}
