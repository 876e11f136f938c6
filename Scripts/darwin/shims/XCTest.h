// XCTest's classes: only what this repository uses, written from Apple's documentation and from objc2's generated bindings.
#import <Foundation/Foundation.h>

#define NOASYNC(advice) __attribute__((swift_attr("@_unavailableFromAsync(message: \"" advice "\")")))
#define MAIN_ACTOR __attribute__((swift_attr("@MainActor")))

#pragma clang assume_nonnull begin

@class XCTestRun, XCTestExpectation, XCTWaiter, XCTAttachment;

// Swift has no invocations, but what a test case inherits decides which classes may be isolated.
__attribute__((availability(swift, unavailable, message = "NSInvocation and related APIs not available")))
@interface NSInvocation : NSObject
@end

@interface XCTest : NSObject
@property (readonly) NSUInteger testCaseCount;
@property (readonly, copy) NSString *name;
@property (nullable, readonly) Class testRunClass;
@property (nullable, readonly) XCTestRun *testRun;
- (void)performTest:(XCTestRun *)run;
- (void)runTest NAME(run());
- (void)setUpWithCompletionHandler:(void (^ SENDABLE)(NSError *_Nullable error))completion NAME(setUp(completion:)) __attribute__((swift_async_name("setUp()")));
- (BOOL)setUpWithError:(NSError **)error;
- (void)setUp;
- (void)tearDown;
- (BOOL)tearDownWithError:(NSError **)error;
- (void)tearDownWithCompletionHandler:(void (^ SENDABLE)(NSError *_Nullable error))completion NAME(tearDown(completion:)) __attribute__((swift_async_name("tearDown()")));
@end

@protocol XCTActivity <NSObject>
@property (readonly, copy) NSString *name;
- (void)addAttachment:(XCTAttachment *)attachment NAME(add(_:));
@end

@interface XCTestRun : NSObject
@property (readonly, strong) XCTest *test;
@property (nullable, readonly, copy) NSDate *startDate;
@property (nullable, readonly, copy) NSDate *stopDate;
@property (readonly) NSUInteger executionCount;
@property (readonly) NSUInteger failureCount;
@property (readonly) NSUInteger totalFailureCount;
@property (readonly) BOOL hasSucceeded;
@end

typedef ENUM(NSInteger, XCTWaiterResult, XCTWaiter.Result) {
  XCTWaiterResultCompleted = 1, XCTWaiterResultTimedOut, XCTWaiterResultIncorrectOrder, XCTWaiterResultInvertedFulfillment,
  XCTWaiterResultInterrupted
};
@protocol XCTWaiterDelegate <NSObject>
@optional
- (void)waiter:(XCTWaiter *)waiter didTimeoutWithUnfulfilledExpectations:(NSArray<XCTestExpectation *> *)unfulfilledExpectations;
@end
SENDABLE @interface XCTWaiter : NSObject
- (instancetype)initWithDelegate:(nullable id<XCTWaiterDelegate>)delegate DESIGNATED;
- (instancetype)init;
@property (readonly) NSArray<XCTestExpectation *> *fulfilledExpectations;
- (XCTWaiterResult)waitForExpectations:(NSArray<XCTestExpectation *> *)expectations timeout:(NSTimeInterval)seconds NAME(wait(for:timeout:)) NOASYNC("Use await fulfillment(of:timeout:enforceOrder:) instead.");
- (XCTWaiterResult)waitForExpectations:(NSArray<XCTestExpectation *> *)expectations timeout:(NSTimeInterval)seconds enforceOrder:(BOOL)enforceOrderOfFulfillment NAME(wait(for:timeout:enforceOrder:)) NOASYNC("Use await fulfillment(of:timeout:enforceOrder:) instead.");
@end

SENDABLE @interface XCTestExpectation : NSObject
- (instancetype)init;
- (instancetype)initWithDescription:(NSString *)expectationDescription DESIGNATED;
@property (copy) NSString *expectationDescription;
@property (getter=isInverted) BOOL inverted;
@property NSUInteger expectedFulfillmentCount;
@property BOOL assertForOverFulfill;
- (void)fulfill;
@end

typedef ENUM(NSInteger, XCTAttachmentLifetime, XCTAttachment.Lifetime) {
  XCTAttachmentLifetimeKeepAlways = 0, XCTAttachmentLifetimeDeleteOnSuccess = 1
};
@interface XCTAttachment : NSObject <NSSecureCoding>
- (instancetype)init __attribute__((unavailable));
+ (instancetype)attachmentWithString:(NSString *)string;
+ (instancetype)attachmentWithData:(NSData *)payload;
+ (instancetype)attachmentWithData:(NSData *)payload uniformTypeIdentifier:(NSString *)identifier;
@property (nullable, copy) NSString *name;
@property XCTAttachmentLifetime lifetime;
@end

@class XCTestSuite;
@interface XCTestCase : XCTest <XCTActivity, XCTWaiterDelegate>
- (instancetype)initWithInvocation:(nullable NSInvocation *)invocation DESIGNATED;
- (instancetype)initWithSelector:(SEL)selector;
+ (nullable instancetype)testCaseWithInvocation:(nullable NSInvocation *)invocation;
+ (nullable instancetype)testCaseWithSelector:(SEL)selector;
@property (strong, nullable) NSInvocation *invocation;
- (void)invokeTest;
@property BOOL continueAfterFailure;
@property (class, readonly) XCTestSuite *defaultTestSuite;
+ (void)setUp;
+ (void)tearDown;
@property NSTimeInterval executionTimeAllowance;
@end
@interface XCTestCase (AsynchronousTesting)
- (XCTestExpectation *)expectationWithDescription:(NSString *)description NAME(expectation(description:));
- (void)waitForExpectationsWithTimeout:(NSTimeInterval)timeout handler:(void (^ _Nullable SENDABLE)(NSError *_Nullable error))handler NAME(waitForExpectations(timeout:handler:)) MAIN_ACTOR NOASYNC("Use await fulfillment(of:timeout:enforceOrder:) instead.");
- (void)waitForExpectations:(NSArray<XCTestExpectation *> *)expectations timeout:(NSTimeInterval)seconds NAME(wait(for:timeout:)) NOASYNC("Use await fulfillment(of:timeout:enforceOrder:) instead.");
- (void)waitForExpectations:(NSArray<XCTestExpectation *> *)expectations timeout:(NSTimeInterval)seconds enforceOrder:(BOOL)enforceOrderOfFulfillment NAME(wait(for:timeout:enforceOrder:)) NOASYNC("Use await fulfillment(of:timeout:enforceOrder:) instead.");
@end
@interface XCTestSuite : XCTest
@property (readonly, copy) NSArray<XCTest *> *tests;
@end

// MARK: User interface tests, which XCUIAutomation has and XCTest exports

MAIN_ACTOR @interface XCUIElement : NSObject
- (instancetype)init __attribute__((unavailable));
@property (readonly) BOOL exists;
@property (readonly, copy) NSString *label;
- (BOOL)waitForExistenceWithTimeout:(NSTimeInterval)timeout NAME(waitForExistence(timeout:));
- (void)tap;
- (void)typeText:(NSString *)text;
@end
MAIN_ACTOR @interface XCUIElementQuery : NSObject
- (XCUIElement *)objectForKeyedSubscript:(NSString *)key;
@property (readonly) NSUInteger count;
@property (readonly) XCUIElement *firstMatch;
@end
MAIN_ACTOR @interface XCUIApplication : XCUIElement
- (instancetype)init DESIGNATED;
- (instancetype)initWithBundleIdentifier:(NSString *)bundleIdentifier DESIGNATED;
- (void)launch;
- (void)activate;
- (void)terminate;
@property (nonatomic, copy) NSArray<NSString *> *launchArguments;
@property (nonatomic, copy) NSDictionary<NSString *, NSString *> *launchEnvironment;
@property (readonly, copy) XCUIElementQuery *buttons;
@property (readonly, copy) XCUIElementQuery *staticTexts;
@property (readonly, copy) XCUIElementQuery *textFields;
@end

#pragma clang assume_nonnull end
