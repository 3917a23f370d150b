import { describeBareMachine } from "./bare-machine";
import { describeLikeCluster } from "./like-cluster";
import { systems } from "./systems";

describeBareMachine("flatcar", systems.flatcar);
describeLikeCluster("flatcar", systems.flatcar, { os: "ignition", isLong: true });
