// The floor for handing work to a thread that sleeps: the system call that wakes it.
#pragma once

typedef struct BareWakeUp BareWakeUp;

// A thread that sleeps until it is woken, again and again, and does nothing in between.
BareWakeUp *bareWakeUpStart(void);

void bareWakeUpSignal(BareWakeUp *wakeUp);
